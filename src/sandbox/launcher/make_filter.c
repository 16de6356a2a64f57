/*
 * Runs while nanoclaw is built: makes the filters of system calls with libseccomp, and prints
 * them as C (filter.h). Made at every start of an agent, they would take longer than the start.
 *
 * The usual filter refuses what an agent has no use for and what was a way out of sandboxes
 * before. Everything else is allowed, because an agent runs any program; the namespaces, the
 * missing capabilities and the mounts are the walls, and this is less kernel to break them
 * with.
 *
 * The strict filter is for a process that no namespace surrounds (landlock.c). It also refuses
 * what Landlock does not decide: every socket (the given ones are connected already), the
 * modes, owners, times and attributes of files, truncation of files that are only readable,
 * System V IPC and message queues, watches on files, limits and priorities of other processes,
 * and leaving the process group.
 *
 * Refused calls fail: with ENOSYS where programs know what to do without the call, with EPERM
 * elsewhere. Calls of another architecture end the process.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/btrfs.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

/* Numbers that are younger than some libraries; they are the same on all architectures. */
#define CALL_QUOTACTL_FD    443
#define CALL_FCHMODAT2      452
#define CALL_STATMOUNT      457
#define CALL_LISTMOUNT      458
#define CALL_OPEN_TREE_ATTR 467

#define CALL_SETXATTRAT    463
#define CALL_GETXATTRAT    464
#define CALL_LISTXATTRAT   465
#define CALL_REMOVEXATTRAT 466
#define CALL_FILE_SETATTR  469

#define IOPRIO_PROCESS 1 /* IOPRIO_WHO_PROCESS, which is in no header */

#define REFUSE  SCMP_ACT_ERRNO(EPERM)
#define MISSING SCMP_ACT_ERRNO(ENOSYS)
#define LOW_32  0xffffffffU
/* O_CREAT and O_TRUNC, which only sys.h may use. */
#define CREATES   0100U
#define TRUNCATES 01000U

static const struct {
	uint32_t action;
	int call;
} calls[] = {
	/* other processes */
	{REFUSE, SCMP_SYS(ptrace)},
	{REFUSE, SCMP_SYS(process_vm_readv)},
	{REFUSE, SCMP_SYS(process_vm_writev)},
	{REFUSE, SCMP_SYS(process_madvise)},
	{REFUSE, SCMP_SYS(kcmp)},
	{REFUSE, SCMP_SYS(pidfd_getfd)},
	{REFUSE, SCMP_SYS(move_pages)},
	{REFUSE, SCMP_SYS(migrate_pages)},
	/* mounts and namespaces */
	{REFUSE, SCMP_SYS(mount)},
	{REFUSE, SCMP_SYS(umount)},
	{REFUSE, SCMP_SYS(umount2)},
	{REFUSE, SCMP_SYS(pivot_root)},
	{REFUSE, SCMP_SYS(chroot)},
	{REFUSE, SCMP_SYS(setns)},
	{REFUSE, SCMP_SYS(unshare)},
	{REFUSE, SCMP_SYS(open_tree)},
	{REFUSE, SCMP_SYS(move_mount)},
	{REFUSE, SCMP_SYS(fsopen)},
	{REFUSE, SCMP_SYS(fsconfig)},
	{REFUSE, SCMP_SYS(fsmount)},
	{REFUSE, SCMP_SYS(fspick)},
	{REFUSE, SCMP_SYS(mount_setattr)},
	{REFUSE, CALL_OPEN_TREE_ATTR},
	{REFUSE, CALL_STATMOUNT},
	{REFUSE, CALL_LISTMOUNT},
	{REFUSE, SCMP_SYS(open_by_handle_at)},
	{REFUSE, SCMP_SYS(name_to_handle_at)},
	/* its flags are in memory, where a filter cannot see them; clone() is tried then */
	{MISSING, SCMP_SYS(clone3)},
	/* keys */
	{REFUSE, SCMP_SYS(add_key)},
	{REFUSE, SCMP_SYS(keyctl)},
	{REFUSE, SCMP_SYS(request_key)},
	/* programs in the kernel, and large parts of it that are seldom used */
	{REFUSE, SCMP_SYS(bpf)},
	{REFUSE, SCMP_SYS(perf_event_open)},
	{REFUSE, SCMP_SYS(userfaultfd)},
	{MISSING, SCMP_SYS(io_uring_setup)},
	{MISSING, SCMP_SYS(io_uring_enter)},
	{MISSING, SCMP_SYS(io_uring_register)},
	{REFUSE, SCMP_SYS(fanotify_init)},
	{REFUSE, SCMP_SYS(lookup_dcookie)},
	{REFUSE, SCMP_SYS(nfsservctl)},
	{REFUSE, SCMP_SYS(sysfs)},
	{REFUSE, SCMP_SYS(_sysctl)},
	{REFUSE, SCMP_SYS(uselib)},
	{REFUSE, SCMP_SYS(ustat)},
	{REFUSE, SCMP_SYS(modify_ldt)},
	{REFUSE, SCMP_SYS(vmsplice)},
	/* the machine */
	{REFUSE, SCMP_SYS(acct)},
	{REFUSE, SCMP_SYS(adjtimex)},
	{REFUSE, SCMP_SYS(clock_adjtime)},
	{REFUSE, SCMP_SYS(clock_settime)},
	{REFUSE, SCMP_SYS(settimeofday)},
	{REFUSE, SCMP_SYS(stime)},
	{REFUSE, SCMP_SYS(create_module)},
	{REFUSE, SCMP_SYS(delete_module)},
	{REFUSE, SCMP_SYS(finit_module)},
	{REFUSE, SCMP_SYS(init_module)},
	{REFUSE, SCMP_SYS(ioperm)},
	{REFUSE, SCMP_SYS(iopl)},
	{REFUSE, SCMP_SYS(kexec_file_load)},
	{REFUSE, SCMP_SYS(kexec_load)},
	{REFUSE, SCMP_SYS(quotactl)},
	{REFUSE, CALL_QUOTACTL_FD},
	{REFUSE, SCMP_SYS(reboot)},
	{REFUSE, SCMP_SYS(setdomainname)},
	{REFUSE, SCMP_SYS(sethostname)},
	{REFUSE, SCMP_SYS(swapoff)},
	{REFUSE, SCMP_SYS(swapon)},
	{REFUSE, SCMP_SYS(syslog)},
	{REFUSE, SCMP_SYS(vhangup)},
	/* its modes are in memory, too; see refuse_modes() */
	{MISSING, SCMP_SYS(openat2)},
};

/* Without namespaces also these. */
static const int strict_calls[] = {
	/* modes, owners, times and attributes of any file whose name or descriptor it has */
	SCMP_SYS(chmod),
	SCMP_SYS(fchmod),
	SCMP_SYS(fchmodat),
	CALL_FCHMODAT2,
	SCMP_SYS(chown),
	SCMP_SYS(fchown),
	SCMP_SYS(fchownat),
	SCMP_SYS(lchown),
	SCMP_SYS(utime),
	SCMP_SYS(utimes),
	SCMP_SYS(futimesat),
	SCMP_SYS(utimensat),
	SCMP_SYS(setxattr),
	SCMP_SYS(lsetxattr),
	SCMP_SYS(fsetxattr),
	CALL_SETXATTRAT,
	SCMP_SYS(removexattr),
	SCMP_SYS(lremovexattr),
	SCMP_SYS(fremovexattr),
	CALL_REMOVEXATTRAT,
	CALL_FILE_SETATTR,
	SCMP_SYS(truncate),
	SCMP_SYS(inotify_add_watch),
	/* other processes and shared resources */
	SCMP_SYS(setsid),
	SCMP_SYS(setpgid),
	SCMP_SYS(pidfd_open),
	SCMP_SYS(process_mrelease),
	SCMP_SYS(shmget),
	SCMP_SYS(shmat),
	SCMP_SYS(shmctl),
	SCMP_SYS(semget),
	SCMP_SYS(semop),
	SCMP_SYS(semtimedop),
	SCMP_SYS(semctl),
	SCMP_SYS(msgget),
	SCMP_SYS(msgsnd),
	SCMP_SYS(msgrcv),
	SCMP_SYS(msgctl),
	SCMP_SYS(mq_open),
	SCMP_SYS(mq_unlink),
	/* sockets; the permitted ones are already open */
	SCMP_SYS(socket),
	SCMP_SYS(bind),
	SCMP_SYS(connect),
};

static const unsigned long namespaces[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID,
	CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP, 0x80 /* CLONE_NEWTIME */};

/* Less randomness, memory at address zero, and all that is readable executable. */
static const unsigned long personalities[] = {
	ADDR_NO_RANDOMIZE, MMAP_PAGE_ZERO, ADDR_COMPAT_LAYOUT, READ_IMPLIES_EXEC};

/*
 * Input for a terminal as if it was typed, commands for the console; and snapshots of btrfs,
 * which copy whole trees past the rights of their files.
 */
static const unsigned long requests[] = {
	TIOCSTI,
	TIOCLINUX,
	TIOCCONS,
	BTRFS_IOC_SNAP_CREATE,
	BTRFS_IOC_SNAP_CREATE_V2,
	BTRFS_IOC_SNAP_DESTROY,
	BTRFS_IOC_SNAP_DESTROY_V2,
	BTRFS_IOC_SUBVOL_CREATE,
	BTRFS_IOC_SUBVOL_CREATE_V2,
};

static int refuse_bits(scmp_filter_ctx filter, int call, unsigned argument,
	const unsigned long *bits, size_t count)
{
	int result = 0;

	for (size_t i = 0; i < count && !result; i++)
		result = seccomp_rule_add(filter, REFUSE, call, 1,
			SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, bits[i], bits[i]));
	return result;
}

/*
 * A program that runs as its owner: in the folder of a group it would be one of the host's
 * user, for everybody on the machine. And devices.
 */
static int refuse_modes(scmp_filter_ctx filter)
{
	static const unsigned long set_id[] = {S_ISUID, S_ISGID};
	static const struct {
		int call;
		unsigned argument;
	} modes[] = {
		{SCMP_SYS(chmod), 1},
		{SCMP_SYS(fchmod), 1},
		{SCMP_SYS(fchmodat), 2},
		{CALL_FCHMODAT2, 2},
		{SCMP_SYS(creat), 1},
		{SCMP_SYS(mkdir), 1},
		{SCMP_SYS(mkdirat), 2},
		{SCMP_SYS(mknod), 1},
		{SCMP_SYS(mknodat), 2},
	};
	static const struct {
		int call;
		unsigned flags;
	} opens[] = {{SCMP_SYS(open), 1}, {SCMP_SYS(openat), 2}};
	int result = 0;

	for (size_t i = 0; i < ARRAY_SIZE(modes) && !result; i++)
		result = refuse_bits(
			filter, modes[i].call, modes[i].argument, set_id, ARRAY_SIZE(set_id));
	for (size_t i = 0; i < 2 * ARRAY_SIZE(opens) && !result; i++) {
		unsigned flags = opens[i / 2].flags;

		result = seccomp_rule_add(filter, REFUSE, opens[i / 2].call, 2,
			SCMP_CMP(flags, SCMP_CMP_MASKED_EQ, CREATES, CREATES),
			SCMP_CMP(flags + 1, SCMP_CMP_MASKED_EQ, set_id[i % 2], set_id[i % 2]));
	}
	for (unsigned i = 0; i < 2 && !result; i++) {
		unsigned long kind = i ? S_IFBLK : S_IFCHR;

		result = seccomp_rule_add(filter, REFUSE, SCMP_SYS(mknod), 1,
			SCMP_CMP(1, SCMP_CMP_MASKED_EQ, S_IFMT, kind));
		if (!result)
			result = seccomp_rule_add(filter, REFUSE, SCMP_SYS(mknodat), 1,
				SCMP_CMP(2, SCMP_CMP_MASKED_EQ, S_IFMT, kind));
	}
	return result;
}

/* Unix, IPv4 and IPv6 without raw packets, and of netlink the part that lists addresses. */
static int refuse_sockets(scmp_filter_ctx filter)
{
	int call = SCMP_SYS(socket);
	uint32_t other = SCMP_ACT_ERRNO(EAFNOSUPPORT);
	int result = seccomp_rule_add(
		filter, other, call, 1, SCMP_CMP(0, SCMP_CMP_GT, AF_NETLINK, 0));

	for (unsigned family = 0; family < AF_NETLINK && !result; family++)
		if (family != AF_UNIX && family != AF_INET && family != AF_INET6)
			result = seccomp_rule_add(
				filter, other, call, 1, SCMP_CMP(0, SCMP_CMP_EQ, family, 0));
	if (!result)
		result = seccomp_rule_add(filter, REFUSE, call, 2,
			SCMP_CMP(0, SCMP_CMP_EQ, AF_NETLINK, 0),
			SCMP_CMP(2, SCMP_CMP_NE, 0, 0));
	for (unsigned i = 0; i < 2 && !result; i++)
		result = seccomp_rule_add(filter, REFUSE, call, 2,
			SCMP_CMP(0, SCMP_CMP_EQ, i ? AF_INET6 : AF_INET, 0),
			SCMP_CMP(1, SCMP_CMP_MASKED_EQ, 0xf, SOCK_RAW));
	return result;
}

static int refuse_requests(scmp_filter_ctx filter)
{
	int result = 0;

	for (size_t i = 0; i < ARRAY_SIZE(requests) && !result; i++)
		result = seccomp_rule_add(filter, REFUSE, SCMP_SYS(ioctl), 1,
			SCMP_CMP(1, SCMP_CMP_MASKED_EQ, LOW_32, requests[i]));
	return result;
}

/*
 * A process that is not dumpable would hide its open files, which count. Pretend that the call
 * succeeded.
 */
static int ignore_hiding(scmp_filter_ctx filter)
{
	return seccomp_rule_add(filter, SCMP_ACT_ERRNO(0), SCMP_SYS(prctl), 1,
		SCMP_CMP(0, SCMP_CMP_MASKED_EQ, LOW_32, PR_SET_DUMPABLE));
}

/* A call that this architecture does not have needs no rule. */
static int refuse_call(scmp_filter_ctx filter, uint32_t action, int call)
{
	int result = seccomp_rule_add(filter, action, call, 0);

	return call < 0 && result == -EDOM ? 0 : result;
}

/* Calls that name a process: the caller itself is 0. */
static int refuse_other_processes(scmp_filter_ctx filter)
{
	static const struct {
		int call;
		unsigned argument;
	} named[] = {
		{SCMP_SYS(prlimit64), 0},
		{SCMP_SYS(setpriority), 1},
		{SCMP_SYS(ioprio_set), 1},
		{SCMP_SYS(sched_setaffinity), 0},
		{SCMP_SYS(sched_setattr), 0},
		{SCMP_SYS(sched_setparam), 0},
		{SCMP_SYS(sched_setscheduler), 0},
	};
	int result = 0;

	for (size_t i = 0; i < ARRAY_SIZE(named) && !result; i++)
		result = seccomp_rule_add(filter, REFUSE, named[i].call, 1,
			SCMP_CMP(named[i].argument, SCMP_CMP_NE, 0, 0));
	/* Of groups and users, 0 is the caller's own, which is the host's, too. */
	if (!result)
		result = seccomp_rule_add(filter, REFUSE, SCMP_SYS(setpriority), 1,
			SCMP_CMP(0, SCMP_CMP_NE, PRIO_PROCESS, 0));
	if (!result)
		result = seccomp_rule_add(filter, REFUSE, SCMP_SYS(ioprio_set), 1,
			SCMP_CMP(0, SCMP_CMP_NE, IOPRIO_PROCESS, 0));
	return result;
}

/* Single requests of calls that are otherwise of use. */
static int refuse_strict_requests(scmp_filter_ctx filter)
{
	static const struct {
		int call;
		unsigned argument;
		uint64_t mask;
		uint64_t value;
	} wanted[] = {
		/* access mode 3 neither reads nor writes, so Landlock checks nothing */
		{SCMP_SYS(open), 1, O_ACCMODE, O_ACCMODE},
		{SCMP_SYS(openat), 2, O_ACCMODE, O_ACCMODE},
		/* truncates what can only be read */
		{SCMP_SYS(open), 1, O_ACCMODE | TRUNCATES, O_RDONLY | TRUNCATES},
		{SCMP_SYS(openat), 2, O_ACCMODE | TRUNCATES, O_RDONLY | TRUNCATES},
		/* makes the kernel signal other processes, or report on their files */
		{SCMP_SYS(fcntl), 1, LOW_32, F_SETOWN},
		{SCMP_SYS(fcntl), 1, LOW_32, F_SETOWN_EX},
		{SCMP_SYS(fcntl), 1, LOW_32, F_SETLEASE},
		{SCMP_SYS(fcntl), 1, LOW_32, F_NOTIFY},
		/* datagrams of a pair can still be sent to any path; raw means datagrams here */
		{SCMP_SYS(socketpair), 1, 0xf, SOCK_DGRAM},
		{SCMP_SYS(socketpair), 1, 0xf, SOCK_RAW},
		/* would let the agent outlive its launcher */
		{SCMP_SYS(prctl), 0, LOW_32, PR_SET_PDEATHSIG},
	};
	int result = 0;

	for (size_t i = 0; i < ARRAY_SIZE(wanted) && !result; i++)
		result = seccomp_rule_add(filter, REFUSE, wanted[i].call, 1,
			SCMP_CMP(wanted[i].argument, SCMP_CMP_MASKED_EQ, wanted[i].mask,
				wanted[i].value));
	return result;
}

/* Attributes can be read even of unreadable files; programs cope without them. */
static int refuse_attributes(scmp_filter_ctx filter)
{
	static const int readers[] = {SCMP_SYS(getxattr), SCMP_SYS(lgetxattr),
		SCMP_SYS(fgetxattr), CALL_GETXATTRAT, SCMP_SYS(listxattr), SCMP_SYS(llistxattr),
		SCMP_SYS(flistxattr), CALL_LISTXATTRAT};
	int result = 0;

	for (size_t i = 0; i < ARRAY_SIZE(readers) && !result; i++)
		result = refuse_call(filter, SCMP_ACT_ERRNO(EOPNOTSUPP), readers[i]);
	return result;
}

static int fill_strict(scmp_filter_ctx filter)
{
	int result = refuse_attributes(filter);

	for (size_t i = 0; i < ARRAY_SIZE(strict_calls) && !result; i++)
		result = refuse_call(filter, REFUSE, strict_calls[i]);
	if (!result)
		result = refuse_other_processes(filter);
	if (!result)
		result = seccomp_rule_add(filter, REFUSE, SCMP_SYS(socketpair), 1,
			SCMP_CMP(0, SCMP_CMP_NE, AF_UNIX, 0));
	return result ? result : refuse_strict_requests(filter);
}

static int filter_fill(scmp_filter_ctx filter)
{
	int result = 0;

	for (size_t i = 0; i < ARRAY_SIZE(calls) && !result; i++)
		result = refuse_call(filter, calls[i].action, calls[i].call);
	if (!result)
		result = refuse_bits(
			filter, SCMP_SYS(clone), 0, namespaces, ARRAY_SIZE(namespaces));
	if (!result)
		result = refuse_bits(filter, SCMP_SYS(personality), 0, personalities,
			ARRAY_SIZE(personalities));
	if (!result)
		result = refuse_modes(filter);
	if (!result)
		result = refuse_sockets(filter);
	if (!result)
		result = ignore_hiding(filter);
	return result ? result : refuse_requests(filter);
}

static void print_filter(int fd, const char *name)
{
	FILE *program = fdopen(fd, "r");
	struct sock_filter step;

	rewind(program);
	printf("const struct sock_filter %s[] = {\n", name);
	while (fread(&step, sizeof(step), 1, program) == 1)
		printf("\t{0x%x, %u, %u, 0x%xU},\n", step.code, step.jt, step.jf, step.k);
	printf("};\nconst unsigned short %s_len = sizeof(%s) / sizeof(%s[0]);\n\n", name, name,
		name);
	fclose(program);
}

static int make_filter(const char *name, bool strict)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int fd = memfd_create("filter", 0);
	int result;

	if (!filter || fd < 0)
		return -ENOMEM;
	seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
	seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	result = filter_fill(filter);
	if (!result && strict)
		result = fill_strict(filter);
	if (!result)
		result = seccomp_export_bpf(filter, fd);
	seccomp_release(filter);
	if (!result)
		print_filter(fd, name);
	return result;
}

int main(void)
{
	int result;

	puts("#include \"sandbox/launcher/filter.h\"\n");
	result = make_filter("filter_usual", false);
	if (!result)
		result = make_filter("filter_strict", true);
	if (result)
		fprintf(stderr, "cannot create the system call filter: %s\n",
			strerror(-result));
	return result ? 1 : 0;
}
