/* --import trust.mjs?ROOT_KEY: the library trusts this key instead of WhatsApp's. */
import { WA_CERT_DETAILS } from "baileys";

WA_CERT_DETAILS.PUBLIC_KEY = Buffer.from(new URL(import.meta.url).search.slice(1), "hex");
