/* Calls and files of the kernel that were ways out before, or are of no use to an agent. */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../attempt.h"

ATTEMPT(load_bpf, "load a program into the kernel")
{
	struct bpf_insn code[] = {{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0},
		{.code = BPF_JMP | BPF_EXIT}};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_SOCKET_FILTER,
		.insns = (uint64_t)(uintptr_t)code,
		.insn_cnt = 2,
		.license = (uint64_t)(uintptr_t) "GPL",
	};

	return got(syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof(attr)));
}

ATTEMPT(perf_events, "measure the machine")
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.exclude_kernel = 1,
	};

	return got(syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
}

ATTEMPT(io_uring, "pass calls to the kernel in a ring, past the filter")
{
	struct io_uring_params params = {0};

	return got(syscall(SYS_io_uring_setup, 4, &params));
}

ATTEMPT(user_faults, "handle page faults")
{
	return got(syscall(SYS_userfaultfd, O_CLOEXEC | 1 /* UFFD_USER_MODE_ONLY */));
}

ATTEMPT(add_key, "put a key into the kernel")
{
	return got(syscall(
		SYS_add_key, "user", "nanoclaw-escape-2", "x", 1, KEY_SPEC_PROCESS_KEYRING));
}

ATTEMPT(find_key, "find a key that the host has in the kernel")
{
	return got(syscall(SYS_request_key, "user", "nanoclaw-escape", NULL, 0));
}

ATTEMPT(less_random, "switch off the randomness of addresses")
{
	return got(personality(ADDR_NO_RANDOMIZE));
}

ATTEMPT(watch_files, "watch files of the whole system")
{
	return got(syscall(SYS_fanotify_init, FAN_CLASS_NOTIF | FAN_REPORT_FID, O_RDONLY));
}

ATTEMPT(load_module, "load a module")
{
	return not_refused(syscall(SYS_finit_module, -1, "", 0));
}

ATTEMPT(remove_module, "remove a module")
{
	return not_refused(syscall(SYS_delete_module, "nanoclaw-no-such", O_NONBLOCK));
}

ATTEMPT(reboot_machine, "reboot the machine")
{
	/* With wrong magic numbers, which the kernel checks after the permissions. */
	return not_refused(syscall(SYS_reboot, 0, 0, 0, 0));
}

ATTEMPT(add_swap, "add swap")
{
	return not_refused(swapon("/nonexistent/nanoclaw", 0));
}

ATTEMPT(account, "have the kernel write a file about all processes")
{
	return not_refused(syscall(SYS_acct, "/nonexistent/nanoclaw"));
}

ATTEMPT(read_kernel_log, "read the messages of the kernel")
{
	char text[64];

	return got(syscall(SYS_syslog, 3, text, sizeof(text)));
}

ATTEMPT(set_host_name, "give the machine another name")
{
	char name[65] = "";

	gethostname(name, sizeof(name) - 1);
	return got(sethostname(name, strlen(name)));
}

ATTEMPT(set_core_pattern, "have the kernel run a program when one crashes")
{
	return opens("/proc/sys/kernel/core_pattern", O_WRONLY);
}

ATTEMPT(set_sysctl, "change a setting of the kernel")
{
	return opens("/proc/sys/kernel/printk", O_WRONLY);
}

ATTEMPT(set_binary_format, "have the kernel run a program for others")
{
	return opens("/proc/sys/fs/binfmt_misc/register", O_WRONLY);
}

ATTEMPT(magic_key, "use the magic key")
{
	return opens("/proc/sysrq-trigger", O_WRONLY);
}

ATTEMPT(read_kernel_memory, "read the memory of the kernel")
{
	return opens("/proc/kcore", O_RDONLY);
}

ATTEMPT(read_page_flags, "read which pages are used for what")
{
	char flags[8];
	int fd = open("/proc/kpageflags", O_RDONLY | O_CLOEXEC);

	return fd >= 0 && read(fd, flags, sizeof(flags)) > 0 ? GOT_THROUGH : REFUSED;
}

ATTEMPT(write_sysfs, "write to /sys")
{
	enum outcome result = opens("/sys/kernel/mm/transparent_hugepage/enabled", O_WRONLY);

	return result == REFUSED ? opens("/sys/power/state", O_WRONLY) : result;
}

ATTEMPT(read_sysfs, "look at the machine in /sys")
{
	return opens("/sys/class", O_RDONLY | O_DIRECTORY);
}

/* On a terminal of its own, where nothing else can read it. */
static int type_into_terminal(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	int terminal;
	char key = 'x';

	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0)
		return 2;
	setsid();
	terminal = open(ptsname(master), O_RDWR | O_CLOEXEC);
	if (terminal < 0)
		return 2;
	ioctl(terminal, TIOCSCTTY, 0);
	return ioctl(terminal, TIOCSTI, &key) < 0;
}

ATTEMPT(type_for_user, "type into a terminal for the user")
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(type_into_terminal());
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status) == 2 ? CANNOT_TRY : status ? REFUSED : GOT_THROUGH;
}

#ifdef __x86_64__
static void call_as_32_bits(void)
{
	long result;

	/* getpid() of the 32-bit kind: 20 */
	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(20L)
			 : "r8", "r9", "r10", "r11", "memory");
	_exit(result > 0 ? 0 : 1);
}

ATTEMPT(calls_of_32_bits, "use system calls of another architecture")
{
	int status;
	pid_t pid = fork();

	if (!pid)
		call_as_32_bits();
	waitpid(pid, &status, 0);
	return status ? REFUSED : GOT_THROUGH;
}

ATTEMPT(port_rights, "get at the ports of the machine")
{
	return got(syscall(SYS_iopl, 3));
}

ATTEMPT(segment_tables, "change the table of segments")
{
	char buffer[64];

	return got(syscall(SYS_modify_ldt, 0, buffer, sizeof(buffer)));
}
#endif
