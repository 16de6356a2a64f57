#include "sandbox/launcher/seccomp.h"

#include <errno.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/launcher/filter.h"

#define LOAD(offset)      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
#define LOW_HALF(field)   (offsetof(struct seccomp_data, field) + 4 * IS_BIG_ENDIAN)
#define HIGH_HALF(field)  (offsetof(struct seccomp_data, field) + 4 * !IS_BIG_ENDIAN)
#define IS_BIG_ENDIAN     (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
#define IF_EQUAL(k, t, f) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (k), (t), (f))
#define RETURN(verdict)   BPF_STMT(BPF_RET | BPF_K, (verdict))

static int filter_apply(const struct sock_filter *filter, unsigned short len, struct error *err)
{
	struct sock_fprog program = {len, (struct sock_filter *)(uintptr_t)filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		return error_errno(err, "cannot apply the system call filter");
	return 0;
}

int seccomp_apply(struct error *err)
{
	return filter_apply(filter_usual, filter_usual_len, err);
}

/*
 * The only ioctl requests allowed; a list of requests to refuse would never be complete. These
 * need no more rights than the descriptor gives.
 */
static const uint32_t requests[] = {
	FICLONE,
	FICLONERANGE,
	FIOASYNC,
	FIOCLEX,
	FIONBIO,
	FIONCLEX,
	FIONREAD,
	FS_IOC_GETFLAGS,
	TCGETS,
	TIOCGWINSZ,
};

static int apply_requests(struct error *err)
{
	const size_t count = ARRAY_SIZE(requests);
	struct sock_filter filter[ARRAY_SIZE(requests) + 5] = {
		LOAD(offsetof(struct seccomp_data, nr)),
		IF_EQUAL(SYS_ioctl, 0, (uint8_t)(count + 2)), /* else to the last line */
		LOAD(LOW_HALF(args[1])),
	};

	for (size_t i = 0; i < count; i++)
		filter[3 + i] =
			(struct sock_filter)IF_EQUAL(requests[i], (uint8_t)(count - i), 0);
	filter[3 + count] = (struct sock_filter)RETURN(SECCOMP_RET_ERRNO | EPERM);
	filter[4 + count] = (struct sock_filter)RETURN(SECCOMP_RET_ALLOW);
	return filter_apply(filter, (unsigned short)ARRAY_SIZE(filter), err);
}

/* Numbers of this architecture; the strict filter has ended calls of any other. */
static int apply_own_signals(struct error *err)
{
	const struct sock_filter filter[] = {
		LOAD(offsetof(struct seccomp_data, nr)),
		IF_EQUAL(SYS_pidfd_send_signal, 11, 0),
		IF_EQUAL(SYS_kill, 5, 0),
		IF_EQUAL(SYS_tkill, 4, 0),
		IF_EQUAL(SYS_tgkill, 3, 0),
		IF_EQUAL(SYS_rt_sigqueueinfo, 2, 0),
		IF_EQUAL(SYS_rt_tgsigqueueinfo, 1, 0),
		RETURN(SECCOMP_RET_ALLOW),
		LOAD(LOW_HALF(args[0])),
		IF_EQUAL((uint32_t)getpid(), 0, 3),
		LOAD(HIGH_HALF(args[0])),
		IF_EQUAL(0, 0, 1),
		RETURN(SECCOMP_RET_ALLOW),
		RETURN(SECCOMP_RET_ERRNO | EPERM),
	};

	return filter_apply(filter, sizeof(filter) / sizeof(filter[0]), err);
}

int seccomp_apply_strict(bool own_signals, struct error *err)
{
	if ((own_signals && apply_own_signals(err) < 0) || apply_requests(err) < 0)
		return -1;
	return filter_apply(filter_strict, filter_strict_len, err);
}
