/* What a message of WhatsApp says, in the words of the bridge protocol. Nothing here does I/O. */
import { areJidsSameUser, jidDecode, normalizeMessageContent, proto, toNumber } from "baileys";

/**
 * @typedef {import("baileys").WAMessage} WAMessage
 * @typedef {proto.IMessage} Content
 * @typedef {{id?: string | null, lid?: string | null}} Me
 * @typedef {{kind: string, name?: string, type?: string, size?: number}} Attachment
 * @typedef {proto.Message.IImageMessage & proto.Message.IDocumentMessage} Media the parts in common
 * @typedef {{kind: string, mediaType: import("baileys").MediaType, media: Media}} Found
 */

const MAX_ID = 128; // bytes of an id that a sender makes up

/** @param {Me} me @param {string | null | undefined} jid */
export function isMe(me, jid) {
  return !!jid && (areJidsSameUser(jid, me.id ?? undefined) || areJidsSameUser(jid, me.lid ?? undefined));
}

/** @param {Content} content @returns {Found | null} */
export function findMedia(content) {
  const { imageMessage, videoMessage, ptvMessage, audioMessage, documentMessage, stickerMessage } = content;
  /** @param {unknown} media @param {string} kind @param {import("baileys").MediaType} mediaType */
  const found = (media, kind, mediaType) => ({ kind, mediaType, media: /** @type {Media} */ (media) });
  if (imageMessage) return found(imageMessage, "image", "image");
  if (videoMessage) return found(videoMessage, "video", "video");
  if (ptvMessage) return found(ptvMessage, "video", "video");
  if (audioMessage) return found(audioMessage, audioMessage.ptt ? "voice" : "audio", "audio");
  if (documentMessage) return found(documentMessage, "document", "document");
  if (stickerMessage) return found(stickerMessage, "sticker", "sticker");
  return null;
}

/** @param {Found} found @returns {Attachment} */
export function describeMedia({ kind, media }) {
  return {
    kind,
    name: media.fileName ?? undefined,
    type: media.mimetype?.split(";")[0],
    size: media.fileLength ? toNumber(media.fileLength) : undefined,
  };
}

/** @param {Content} content */
function contextOf(content) {
  for (const part of Object.values(content))
    if (part && typeof part === "object" && "contextInfo" in part && part.contextInfo)
      return /** @type {proto.IContextInfo} */ (part.contextInfo);
  return {};
}

/** @param {proto.Message.ILocationMessage} place */
function describePlace(place) {
  const where = `${place.degreesLatitude}, ${place.degreesLongitude}`;
  return `[location: ${[place.name, place.address, where].filter(Boolean).join("; ")}]`;
}

/** @param {proto.Message.IContactMessage} contact */
function describeContact({ displayName, vcard }) {
  const numbers = [...(vcard ?? "").matchAll(/^TEL[^:\n]*:(.+)$/gim)].map((found) => found[1].trim());
  return `[contact: ${[displayName, ...numbers].filter(Boolean).join("; ")}]`;
}

/** @param {Content} content */
function textOf(content) {
  const poll = content.pollCreationMessage ?? content.pollCreationMessageV2 ?? content.pollCreationMessageV3;
  const place = content.locationMessage ?? content.liveLocationMessage;
  if (poll)
    return `[poll: ${poll.name}: ${(poll.options ?? []).map((option) => option.optionName).join(" / ")}]`;
  if (place) return describePlace(place);
  if (content.contactMessage) return describeContact(content.contactMessage);
  if (content.contactsArrayMessage)
    return (content.contactsArrayMessage.contacts ?? []).map(describeContact).join("\n");
  return content.conversation ?? content.extendedTextMessage?.text ??
    findMedia(content)?.media.caption ?? content.buttonsResponseMessage?.selectedDisplayText ??
    content.listResponseMessage?.title ?? content.templateButtonReplyMessage?.selectedDisplayText ?? "";
}

/** A mention of us at the beginning is cut out, so that slash commands work.
 * @param {string} text @param {string[]} mentions @param {Me} me */
function withoutMention(text, mentions, me) {
  for (const jid of mentions) {
    const mention = `@${jidDecode(jid)?.user}`;
    if (isMe(me, jid) && text.startsWith(mention)) return text.slice(mention.length).trimStart();
  }
  return text;
}

/**
 * The fields of a 'message' that its content decides; null: there is nothing to report.
 * `found` is the file that belongs to it.
 * @param {WAMessage} message @param {Me} me
 */
export function readContent(message, me) {
  const content = normalizeMessageContent(message.message);
  if (!content) return null;
  const { protocolMessage, reactionMessage } = content;
  if (reactionMessage)
    return reactionMessage.text && reactionMessage.key?.id
      ? { text: reactionMessage.text, reaction_to: reactionMessage.key.id, found: null, mentioned: false }
      : null;
  if (protocolMessage) {
    const edited = normalizeMessageContent(protocolMessage.editedMessage);
    return protocolMessage.type === proto.Message.ProtocolMessage.Type.MESSAGE_EDIT && edited
      ? { text: textOf(edited), edit_of: protocolMessage.key?.id ?? undefined, found: null, mentioned: false }
      : null;
  }
  const context = contextOf(content);
  const mentions = context.mentionedJid ?? [];
  const found = findMedia(content);
  const text = withoutMention(textOf(content), mentions, me);
  if (!text && !found) return null;
  return {
    text,
    found,
    reply_to: (context.stanzaId?.length ?? 0) <= MAX_ID ? context.stanzaId ?? undefined : undefined,
    mentioned: mentions.some((jid) => isMe(me, jid)),
  };
}
