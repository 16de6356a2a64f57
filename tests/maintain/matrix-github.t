# more entries than the service takes jobs are put together: 256 jobs, each entry in exactly one of them
needs: python3
ignore: *
-- VERSION --
1.0.0
-- many.sh --
for i in $(seq 300); do
	mkdir -p skills/s$i
	printf 'skill: s%s\nversion: 1.0.0\ncore_version: 1.0.0\nadds: [f%s]\n' $i $i >skills/s$i/manifest.yaml
done
-- check.py --
import json, subprocess
text = subprocess.run(["nanoclaw", "matrix", "--github"], check=True, capture_output=True, text=True).stdout
plan = json.loads(subprocess.run(["nanoclaw", "--json", "matrix"], check=True, capture_output=True).stdout)
jobs = json.loads(text)["include"]
ids = [word for job in jobs for word in job["run"].split() if "/" in word]
print(text.count("\n"), "line,", len(jobs), "jobs, with", {job["entries"] for job in jobs}, "entries")
print(ids == [entry["id"] for entry in plan["entries"]], all(job["run"].count("--only") == job["entries"] for job in jobs))
print(jobs[5])
== run ==
$ nanoclaw matrix --github
> {"include":[]}
$ sh many.sh; python3 check.py
> 1 line, 256 jobs, with {1, 2} entries
> True True
> {'entries': 2, 'name': '1.0.0/s103 and 1 more', 'run': 'nanoclaw matrix run --only 1.0.0/s103 --only 1.0.0/s104'}
