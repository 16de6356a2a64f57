"""A made-up core with ten versions, skills for it, and a person who has changed it.

Whose line is whose is decided by its number, so that nobody ever changes a line of
somebody else, and what must come out can be told without any merging.
"""

import os
import random
import shutil

VERSIONS = 10
LINES = 60
DEFAULT = "settings.conf"
FEATURE = "src/feature.txt"
MAIN = "src/main.txt"


def version(number):
    return "0.%d.0" % number


class Core:
    """One version: by path the number of its last fix for each line of the core."""

    def __init__(self):
        self.files = {}
        self.lineage = {}  # path: the name that the file had first
        self.number = 1
        self.default_changed = False
        self.feature_gone = False

    def copy(self):
        other = Core()
        other.files = {path: dict(fixes) for path, fixes in self.files.items()}
        other.lineage = dict(self.lineage)
        other.number = self.number
        other.default_changed = self.default_changed
        other.feature_gone = self.feature_gone
        return other

    def text(self, path, lines=None, default=None, feature=None):
        """The file, with the lines of others in it: {number: text}."""
        first = self.lineage[path]
        changed = self.default_changed if default is None else not default
        gone = self.feature_gone if feature is None else not feature
        out = []
        for number in range(1, LINES + 1):
            if lines and number in lines:
                out.append(lines[number])
            elif first == DEFAULT and number == 31:
                out.append("mode = " + ("new" if changed else "old"))
            elif first == MAIN and number == 31:
                out.append("nothing" if gone else "use feature")
            else:
                fix = self.files[path].get(number, 0)
                out.append("%s %d fix %d" % (first, number, fix))
        return "\n".join(out) + "\n"


class History:
    """All versions, the skills and the person, from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.cores = [None, self.first()]
        self.renames = {}  # number of the version: (old, new)
        self.deletes = {}
        for number in range(2, VERSIONS + 1):
            self.cores.append(self.next(number))
        self.skills = self.make_skills()
        self.patches = self.make_person()

    def first(self):
        core = Core()
        names = [DEFAULT, FEATURE, MAIN, "doomed.txt"]
        names += ["src/part%d.txt" % i for i in range(6)]
        for name in names:
            core.files[name] = {}
            core.lineage[name] = name
        return core

    def next(self, number):
        r = self.random
        core = self.cores[number - 1].copy()
        core.number = number
        if number in (3, 9):  # a file gets another name
            old = r.choice(sorted(p for p in core.files if "part" in core.lineage[p]))
            new = "lib%d/%s" % (number, os.path.basename(old))
            core.files[new] = core.files.pop(old)
            core.lineage[new] = core.lineage.pop(old)
            self.renames[number] = (old, new)
        if number == 5:
            del core.files["doomed.txt"], core.lineage["doomed.txt"]
            self.deletes[number] = "doomed.txt"
        if number == 6:
            core.default_changed = True
        if number == 8:
            core.feature_gone = True
            del core.files[FEATURE], core.lineage[FEATURE]
        if number == 4:
            core.files["src/late.txt"] = {}
            core.lineage["src/late.txt"] = "src/late.txt"
        for path in sorted(core.files):
            if r.random() < 0.5 or path in (DEFAULT, MAIN):
                core.files[path][10 * r.randrange(6) + 1] = number
        return core

    def make_skills(self):
        """Five skills: {name: {first name of a file: [line numbers]}}."""
        r = self.random
        skills = {}
        for i in range(5):
            touched = r.sample(["src/part%d.txt" % j for j in range(6)], 2)
            touched += r.sample([DEFAULT, MAIN], 1)
            skills["skill%d" % i] = {path: [10 * i + 4] for path in touched}
        skills["skill0"][FEATURE] = [4]
        return skills

    def make_person(self):
        r = self.random
        patches = []
        for i in range(3):
            touched = r.sample([DEFAULT, MAIN, FEATURE] + ["src/part%d.txt" % j for j in range(6)], 3)
            patches.append({path: [10 * i + 7] for path in touched})
        return patches

    # --- what is shipped -------------------------------------------------------------

    def skill_version(self, name, number):
        """skill1 is kept up to date since core 0.7.0; the others are as they were."""
        return "1.%d.0" % number if name == "skill1" and number >= 7 else "1.0.0"

    def skill_core(self, name, number):
        return number if name == "skill1" and number >= 7 else 1

    def skill_lines(self, name, path, number):
        return {n: "%s %s line %d" % (name, self.skill_version(name, number), n)
                for n in self.skills[name].get(path, [])}

    def write_package(self, folder, name, number, text):
        for path, content in text.items():
            put(os.path.join(folder, "skills", name, path), content)

    def write_skill(self, folder, name, number):
        base = self.cores[self.skill_core(name, number)]
        now = {first: path for path, first in base.lineage.items()}
        files = {"SKILL.md": "# %s\n" % name, "add/extra/%s.txt" % name: name + "\n"}
        paths = []
        for first in sorted(self.skills[name]):
            path = now[first]
            paths.append(path)
            files["modify/" + path] = base.text(path, self.skill_lines(name, first, number))
        files["manifest.yaml"] = (
            "skill: %s\nversion: %s\ncore_version: %s\nadds: [extra/%s.txt]\nmodifies: [%s]\n"
            "test: grep -rq '%s %s line' .\n" % (
                name, self.skill_version(name, number), version(base.number), name,
                ", ".join(paths), name, self.skill_version(name, number)))
        self.write_package(folder, name, number, files)

    def write_migrations(self, folder, number):
        """Skills that keep the default and the feature; always for the newest core."""
        core = self.cores[number]
        entries = []
        if number >= 6:
            entries.append((6, "keep-mode", "Keeps the old mode"))
            self.write_package(folder, "keep-mode", number, {
                "SKILL.md": "# keep-mode\n",
                "modify/" + DEFAULT: core.text(DEFAULT, default=True),
                "manifest.yaml": "skill: keep-mode\nversion: 1.%d.0\ncore_version: %s\n"
                "modifies: [%s]\ntest: grep -q 'mode = old' %s\n" % (
                    number, version(number), DEFAULT, DEFAULT)})
        if number >= 8:
            entries.append((8, "keep-feature", "Keeps the feature"))
            feature = self.cores[7].text(FEATURE)
            self.write_package(folder, "keep-feature", number, {
                "SKILL.md": "# keep-feature\n",
                "add/" + FEATURE: feature,
                "modify/" + MAIN: core.text(MAIN, feature=True),
                "manifest.yaml": "skill: keep-feature\nversion: 1.%d.0\ncore_version: %s\n"
                "adds: [%s]\nmodifies: [%s]\ntest: grep -q 'use feature' %s\n" % (
                    number, version(number), FEATURE, MAIN, MAIN)})
        put(os.path.join(folder, "migrations.yaml"), "".join(
            '- since: %s\n  skill: %s\n  description: "%s"\n' % (version(since), name, text)
            for since, name, text in entries) or "[]\n")

    def write_core(self, folder, number):
        core = self.cores[number]
        for path in core.files:
            put(os.path.join(folder, path), core.text(path))
        put(os.path.join(folder, "VERSION"), version(number) + "\n")
        for name in self.skills:
            self.write_skill(folder, name, number)
        self.write_migrations(folder, number)

    def write_update(self, folder, number, scratch):
        """The update package that leads to this version."""
        old, new = (os.path.join(scratch, "core%d" % n) for n in (number - 1, number))
        target = os.path.join(folder, "%s-to-%s" % (version(number - 1), version(number)))
        ops = []
        if number in self.renames:
            ops.append("- type: rename\n  from: %s\n  to: %s\n" % self.renames[number])
        gone = [p for p in self.cores[number - 1].files if p not in self.cores[number].files]
        if number in self.renames:
            gone.remove(self.renames[number][0])
        ops += ["- type: delete\n  path: %s\n" % path for path in gone]
        for path in listing(new):
            if listing(old).get(path) != listing(new)[path]:
                put(os.path.join(target, "files", path), listing(new)[path])
        put(os.path.join(target, "file_ops"), "".join(ops) or "[]\n")
        put(os.path.join(target, "migration.md"), "# %s\n" % version(number))

    # --- what must come out --------------------------------------------------------------

    def expected(self, number, skills, patches, keep_mode, keep_feature):
        core = self.cores[number]
        out = {"VERSION": version(number) + "\n"}
        for path, first in core.lineage.items():
            out[path] = core.text(path, self.others(first, number, skills, patches),
                                  default=True if keep_mode else None,
                                  feature=True if keep_feature else None)
        if core.feature_gone and keep_feature:
            out[FEATURE] = self.cores[7].text(
                FEATURE, self.others(FEATURE, number, skills, patches))
        for name in skills:
            out["extra/%s.txt" % name] = name + "\n"
        return out

    def others(self, first, number, skills, patches):
        lines = {}
        for name in skills:
            lines.update(self.skill_lines(name, first, number))
        for i in patches:
            for n in self.patches[i].get(first, []):
                lines[n] = "patch %d line %d" % (i, n)
        return lines


def put(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write(content)


def listing(folder, without=()):
    out = {}
    for where, folders, names in os.walk(folder):
        folders[:] = [f for f in folders if os.path.relpath(os.path.join(where, f), folder) not in without]
        for name in names:
            path = os.path.join(where, name)
            with open(path, errors="surrogateescape") as file:
                out[os.path.relpath(path, folder)] = file.read()
    return out


def remove(folder):
    shutil.rmtree(folder, ignore_errors=True)
