/* More rights than one has: set-id files, capabilities, devices, namespaces. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../attempt.h"

#define FCHMODAT2 452

static int own_file(const char *name)
{
	unlink(place("AGENT", name));
	return open(place("AGENT", name), O_RDWR | O_CREAT | O_CLOEXEC, 0700);
}

ATTEMPT(set_uid_file, "leave a program that runs as the host's user")
{
	int fd = own_file("set-uid");

	return fd < 0 ? CANNOT_TRY : got(fchmod(fd, 04755));
}

ATTEMPT(set_uid_by_path, "leave such a program by its path")
{
	return own_file("set-uid-2") < 0 ? CANNOT_TRY
					 : got(chmod(place("AGENT", "set-uid-2"), 06755));
}

ATTEMPT(set_uid_fchmodat2, "leave such a program by a newer call")
{
	long result;

	if (own_file("set-uid-3") < 0)
		return CANNOT_TRY;
	result = syscall(FCHMODAT2, AT_FDCWD, place("AGENT", "set-uid-3"), 04755, 0);
	return result < 0 && errno == ENOSYS ? CANNOT_TRY : got(result);
}

ATTEMPT(set_uid_at_creation, "make a file as such a program")
{
	const char *path = place("AGENT", "set-uid-4");

	unlink(path);
	return got(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 04755));
}

ATTEMPT(set_uid_openat2, "make such a program with openat2()")
{
	const char *path = place("AGENT", "set-uid-5");
	struct {
		uint64_t flags, mode, resolve;
	} how = {O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 04755, 0};

	unlink(path);
	return got(syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how)));
}

ATTEMPT(become_root, "become user 0")
{
	return got(setresuid(0, 0, 0));
}

ATTEMPT(another_user, "be another user or group than node")
{
	return getuid() != 1000 || geteuid() != 1000 || getgid() != 1000 || getegid() != 1000
		       ? GOT_THROUGH
		       : REFUSED;
}

ATTEMPT(set_groups, "join a group")
{
	gid_t group = 4;

	return got(setgroups(1, &group));
}

ATTEMPT(change_owner, "give a file to another user")
{
	return own_file("given") < 0 ? CANNOT_TRY : got(chown(place("AGENT", "given"), 1, 1));
}

ATTEMPT(capabilities, "have a capability")
{
	struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2] = {{0}, {0}};

	if (syscall(SYS_capget, &head, data) < 0)
		return CANNOT_TRY;
	return data[0].permitted || data[1].permitted ? GOT_THROUGH : REFUSED;
}

static enum outcome make_device(const char *name, mode_t kind, unsigned major_number)
{
	const char *path = place("AGENT", name);
	int result;

	unlink(path);
	result = mknod(path, kind | 0600, makedev(major_number, 3));
	unlink(path);
	return got(result);
}

ATTEMPT(make_char_device, "make a character device")
{
	return make_device("char", S_IFCHR, 1);
}

ATTEMPT(make_block_device, "make a block device")
{
	return make_device("block", S_IFBLK, 254);
}

static enum outcome opens_if_there(const char *path, int flags)
{
	return opens(path, flags);
}

ATTEMPT(open_memory, "open the memory of the machine")
{
	return opens_if_there("/dev/mem", O_RDONLY);
}

ATTEMPT(open_kernel_log, "open the log of the kernel")
{
	return opens_if_there("/dev/kmsg", O_RDONLY);
}

ATTEMPT(open_fuse, "open /dev/fuse")
{
	return opens_if_there("/dev/fuse", O_RDWR);
}

ATTEMPT(open_tun, "open /dev/net/tun")
{
	return opens_if_there("/dev/net/tun", O_RDWR);
}

ATTEMPT(open_kvm, "open /dev/kvm")
{
	return opens_if_there("/dev/kvm", O_RDWR);
}

ATTEMPT(open_disk, "open the disk")
{
	enum outcome result = opens("/dev/vda", O_RDONLY);

	return result == REFUSED ? opens("/dev/sda", O_RDONLY) : result;
}

static enum outcome in_child(int (*function)(void))
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(function() < 0 ? 1 : 0);
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return CANNOT_TRY;
	return status ? REFUSED : GOT_THROUGH;
}

static int new_user(void)
{
	return unshare(CLONE_NEWUSER);
}

static int new_mounts(void)
{
	return unshare(CLONE_NEWNS);
}

static int new_user_and_mounts(void)
{
	return unshare(CLONE_NEWUSER | CLONE_NEWNS);
}

static int new_network(void)
{
	return unshare(CLONE_NEWUSER | CLONE_NEWNET);
}

ATTEMPT(user_namespace, "make a user namespace")
{
	return in_child(new_user);
}

ATTEMPT(mount_namespace, "make a mount namespace")
{
	enum outcome result = in_child(new_mounts);

	return result == REFUSED ? in_child(new_user_and_mounts) : result;
}

ATTEMPT(network_namespace, "make a network namespace")
{
	return in_child(new_network);
}

ATTEMPT(clone_namespace, "make a user namespace with clone()")
{
	long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);

	if (!pid)
		_exit(0);
	if (pid > 0)
		waitpid((pid_t)pid, NULL, 0);
	return got(pid);
}

ATTEMPT(clone3_namespace, "make a user namespace with clone3()")
{
	struct clone_args args = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};
	long pid = syscall(SYS_clone3, &args, sizeof(args));

	if (!pid)
		_exit(0);
	if (pid > 0)
		waitpid((pid_t)pid, NULL, 0);
	return got(pid);
}

static int enter_namespace(void)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%ld/ns/net", world_number("VICTIM"));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		fd = open("/proc/1/ns/net", O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -1 : setns(fd, 0);
}

ATTEMPT(join_namespace, "join the network namespace of the host")
{
	return in_child(enter_namespace);
}

static int change_root(void)
{
	return chroot(world("AGENT"));
}

ATTEMPT(change_root_folder, "change the root folder")
{
	return in_child(change_root);
}

static int mount_tmpfs(void)
{
	const char *folder = place("AGENT", "mount-here");

	mkdir(folder, 0700);
	/* In a namespace of its own where it may have one, to leave nothing mounted. */
	unshare(CLONE_NEWNS);
	return mount("x", folder, "tmpfs", 0, NULL);
}

static int mount_overlay(void)
{
	char options[8192];

	unshare(CLONE_NEWNS);
	mkdir(place("AGENT", "upper"), 0700);
	mkdir(place("AGENT", "work"), 0700);
	mkdir(place("AGENT", "mount-here"), 0700);
	snprintf(options, sizeof(options), "lowerdir=%s,upperdir=%s,workdir=%s",
		place("APP", "skills"), place("AGENT", "upper"), place("AGENT", "work"));
	return mount("x", place("AGENT", "mount-here"), "overlay", 0, options);
}

static int mount_bind(void)
{
	unshare(CLONE_NEWNS);
	mkdir(place("AGENT", "mount-here"), 0700);
	return mount(place("APP", "skills"), place("AGENT", "mount-here"), NULL, MS_BIND, NULL);
}

static int mount_proc(void)
{
	unshare(CLONE_NEWNS);
	mkdir(place("AGENT", "mount-here"), 0700);
	return mount("proc", place("AGENT", "mount-here"), "proc", 0, NULL);
}

static int make_writable(void)
{
	unshare(CLONE_NEWNS);
	return mount(NULL, "/proc", NULL, MS_REMOUNT | MS_BIND, NULL);
}

static int unmount(void)
{
	unshare(CLONE_NEWNS);
	mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
	return umount2("/proc", MNT_DETACH);
}

static int new_mount_api(void)
{
	return (int)syscall(SYS_fsopen, "tmpfs", 0);
}

static int clone_tree(void)
{
	return (int)syscall(SYS_open_tree, AT_FDCWD, world("AGENT"), 1 /* OPEN_TREE_CLONE */);
}

static int mount_cgroup(void)
{
	unshare(CLONE_NEWNS);
	mkdir(place("AGENT", "mount-here"), 0700);
	return mount("cgroup", place("AGENT", "mount-here"), "cgroup", 0, "memory");
}

ATTEMPT(mount_memory, "mount a tmpfs")
{
	return in_child(mount_tmpfs);
}

ATTEMPT(mount_over_shared, "mount an overlay over what is read-only")
{
	return in_child(mount_overlay);
}

ATTEMPT(mount_again, "mount a folder a second time")
{
	return in_child(mount_bind);
}

ATTEMPT(mount_new_proc, "mount a /proc")
{
	return in_child(mount_proc);
}

ATTEMPT(remount_writable, "make a mount writable")
{
	return in_child(make_writable);
}

ATTEMPT(take_off_mount, "take off what covers something")
{
	return in_child(unmount);
}

ATTEMPT(mount_by_new_calls, "mount with the newer calls")
{
	return in_child(new_mount_api);
}

ATTEMPT(copy_tree, "copy a tree of mounts")
{
	return in_child(clone_tree);
}

ATTEMPT(cgroup_release_agent, "mount the cgroups, to have the kernel run a program")
{
	return in_child(mount_cgroup);
}

ATTEMPT(write_cgroup, "write to a cgroup")
{
	enum outcome result = opens("/sys/fs/cgroup/memory/cgroup.procs", O_WRONLY);

	return result == REFUSED ? opens("/sys/fs/cgroup/cgroup.procs", O_WRONLY) : result;
}
