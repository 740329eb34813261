// SPDX-License-Identifier: GPL-2.0
/*
 * Preloaded: logs each call of the program that changes a regular file or a folder to the file
 * SEEN_CALLS, one per line, with the inode number. Kills the program before call number
 * SEEN_KILL, or in the middle of it if it is a write. With SEEN_NO_PROC, access() always
 * fails, as if there were no /proc.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REAL(function) ((__typeof__(function) *)dlsym(RTLD_NEXT, #function))

static unsigned long calls;

static void tell(const char *what, ino_t inode)
{
	const char *path = getenv("SEEN_CALLS");
	int fd;

	if (!path)
		return;
	fd = syscall(SYS_openat, AT_FDCWD, path,
		     O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	dprintf(fd, "%s %ju\n", what, (uintmax_t)inode);
	close(fd);
}

static bool is_last(void)
{
	const char *text = getenv("SEEN_KILL");

	return ++calls == (text ? strtoul(text, NULL, 10) : 0);
}

static void call(const char *what, ino_t inode)
{
	if (is_last())
		raise(SIGKILL);
	tell(what, inode);
}

/* Return: inode number, or 0 if it is neither a regular file nor a folder. */
static ino_t inode_of(const struct stat *file)
{
	return S_ISREG(file->st_mode) || S_ISDIR(file->st_mode) ?
	       file->st_ino : 0;
}

static ino_t inode_at(const char *path)
{
	struct stat file;

	return stat(path, &file) ? 0 : inode_of(&file);
}

static ino_t inode_fd(int fd)
{
	struct stat file;

	return fstat(fd, &file) ? 0 : inode_of(&file);
}

int open64(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	if (__OPEN_NEEDS_MODE(flags)) {
		va_start(args, flags);
		mode = va_arg(args, mode_t);
		va_end(args);
		call("open", inode_at(path));
	}
	return REAL(open64)(path, flags, mode);
}

int ftruncate64(int fd, off64_t length)
{
	call("change", inode_fd(fd));
	return REAL(ftruncate64)(fd, length);
}

ssize_t write(int fd, const void *from, size_t bytes)
{
	ino_t inode = inode_fd(fd);

	if (!inode)
		return REAL(write)(fd, from, bytes);
	if (is_last()) {
		REAL(write)(fd, from, bytes / 2);
		raise(SIGKILL);
	}
	tell("change", inode);
	return REAL(write)(fd, from, bytes);
}

int fchown(int fd, uid_t user, gid_t group)
{
	call("owner", inode_fd(fd));
	return REAL(fchown)(fd, user, group);
}

int fchmod(int fd, mode_t mode)
{
	call("mode", inode_fd(fd));
	return REAL(fchmod)(fd, mode);
}

int fsync(int fd)
{
	call("sync", inode_fd(fd));
	return REAL(fsync)(fd);
}

int linkat(int from, const char *old, int to, const char *path, int flags)
{
	call("link", inode_at(old));
	return REAL(linkat)(from, old, to, path, flags);
}

int link(const char *old, const char *path)
{
	call("link", inode_at(old));
	return REAL(link)(old, path);
}

int rename(const char *old, const char *path)
{
	call("rename", inode_at(old));
	return REAL(rename)(old, path);
}

int unlink(const char *path)
{
	call("unlink", inode_at(path));
	return REAL(unlink)(path);
}

int access(const char *path, int mode)
{
	return getenv("SEEN_NO_PROC") ? -1 : REAL(access)(path, mode);
}
