/*
 * container.json of a group: its agent, the resources that the agent gets, and their limits. It
 * is in the group's folder and belongs to the host; the agent can only read it.
 *
 *	{
 *	  "skills": "all",			or a list of names; "all" is the default
 *	  "mcpServers": {
 *	    "my-db": {
 *	      "command": "db-mcp", "args": ["--read-only"], "env": {"DB": "sales"},
 *	      "instructions": "Read-only access."
 *	    }
 *	  },
 *	  "mounts": [{"path": "~/notes", "name": "notes", "readOnly": true}],
 *	  "agent": "claude",			"native", "offline", or a command line
 *	  "model": {				each may be left out (host/agent/agent_model.h)
 *	    "provider": "ollama", "name": "qwen3:8b", "url": "http://127.0.0.1:11434/v1",
 *	    "context": 32768, "maxOutput": 4096, "vision": false
 *	  },
 *	  "sandbox": "bwrap",			"podman", "docker" or "landlock"
 *	  "network": {"hosts": ["example.com", "*.example.org:8443"]},	(egress/hosts.h)
 *	  "limits": {
 *	    "memoryMegabytes": 2048, "processes": 256, "cpuPercent": 200,
 *	    "diskMegabytes": 1024, "seconds": 1800
 *	  },
 *	  "budget": {				each a number, or "none"
 *	    "dailyTokens": 2000000, "dailyDollars": 5, "monthlyDollars": 50.5,
 *	    "warnPercent": 80
 *	  }
 *	}
 *
 * Every key is optional. An unknown key is kept and gives a warning; a value of
 * the wrong kind or out of bounds is ERROR_INVALID, with the line and column of each fault, and
 * then no agent of that group starts. Names of skills, servers and mounts are 1 to 64 of
 * A-Z a-z 0-9 . _ -, beginning with a letter or digit: they become names of files.
 *
 *	CLEANUP(container_release) struct container container = CONTAINER_INIT;
 *
 *	if (container_load(root, "family", &container, err) < 0)
 *		return -1;
 */
#ifndef GROUP_CONTAINER_H
#define GROUP_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/string_array.h"
#include "base/view.h"
#include "egress/hosts.h"

#define CONTAINER_FILE      "container.json"
#define CONTAINER_MAX_FILE  ((size_t)1024 * 1024)
#define CONTAINER_MAX_NAME  64
#define CONTAINER_NAME_RULE "up to 64 of A-Z a-z 0-9 . _ - that begin with a letter or digit"

/* The host's own MCP server. No other server can have its name. */
#define CONTAINER_OWN_SERVER "nanoclaw"

struct container_variable {
	char *name;
	char *value;
};

struct container_server {
	char *name;
	char *command;
	struct string_array args;
	struct container_variable *env; /* sorted by name */
	size_t env_count, env_cap;
	char *instructions; /* or NULL */
};

struct container_mount {
	char *path;     /* as written: absolute, or with ~/ */
	char *name;     /* below /workspace/extra; by default the last part of the path */
	bool read_only; /* unless the file says false */
};

/* 0: the installation's default. */
struct container_limits {
	uint64_t memory_megabytes;
	uint64_t processes;
	uint64_t cpu_percent;
	uint64_t disk_megabytes;
	uint64_t seconds;
};

/* "none", where the installation has a limit. */
#define CONTAINER_NO_LIMIT UINT64_MAX

/* Spending limits (host/money/budget.h). 0: the installation's default. */
struct container_budget {
	uint64_t daily_tokens;
	uint64_t daily_dollars; /* in millionths */
	uint64_t monthly_dollars;
	uint64_t warn_percent;
};

/* Its model, if it differs from the installation's. NULL and 0: not set. */
struct container_model {
	char *provider;
	char *name;
	char *url;
	uint64_t context;
	uint64_t max_output;
	bool vision;
	bool says_vision; /* else the line above means nothing */
};

struct container {
	bool all_skills;
	struct string_array skills;       /* sorted, each once */
	struct container_server *servers; /* sorted by name */
	size_t server_count, server_cap;
	struct container_mount *mounts; /* in their order */
	size_t mount_count, mount_cap;
	char *agent;        /* or NULL */
	char *sandbox;      /* or NULL */
	struct hosts hosts; /* that it may reach */
	struct container_model model;
	struct container_limits limits;
	struct container_budget budget;
	struct string_array warnings;
};

#define CONTAINER_INIT ((struct container){.all_skills = true})

/* `shown` is for messages, one line for each fault. */
int container_parse(struct view text, const char *shown, struct container *ret_container,
	struct error *err);

bool container_has_skill(const struct container *container, const char *name);

/* May it be the name of a skill or a server? */
bool container_name_is_valid(struct view name);

void container_release(struct container *container);

#endif
