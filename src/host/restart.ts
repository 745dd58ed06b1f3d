/**
 * The GNU C library overwrites memory when it is freed, and hands every freed block to that code: its caches per
 * thread don't do so. Other C libraries ignore the variable.
 *
 * @see https://sourceware.org/glibc/manual/latest/html_node/Memory-Allocation-Tunables.html
 */
const TUNABLES = 'glibc.malloc.perturb=165:glibc.malloc.tcache_count=0'
const INSPECTOR_FLAG = '--disable-sigusr1'

/**
 * Makes this process overwrite the memory that it frees, so that a lock leaves no passphrase or key there. The C
 * library reads its setting only when a process starts, so on Linux this replaces the process by the same command.
 * The process id, the terminal and the open streams stay. Call it before anything secret is read.
 *
 * @see docs/decisions/0050-memory-after-a-lock.md
 */
export function overwriteOnFree(): void {
  // Otherwise small buffers share one block of memory, which isn't freed while one of them is used.
  Buffer.poolSize = 0
  const { env } = process
  // The C library removes its variable for some programs, so another one marks a restarted process.
  if (env['SOTTO_RESTARTED'] !== undefined) {
    restoreEnvironment()
    return
  }
  // A parent with a channel, such as `node --watch`, would lose it.
  if (process.platform !== 'linux' || process.execve === undefined || process.connected) return
  const flags = process.execArgv.includes(INSPECTOR_FLAG) ? [] : [INSPECTOR_FLAG]
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...flags, ...process.argv.slice(1)],
    {
      ...env,
      SOTTO_RESTARTED: env['GLIBC_TUNABLES'] ?? '',
      GLIBC_TUNABLES: [env['GLIBC_TUNABLES'], TUNABLES].filter(Boolean).join(':'),
    },
  )
}

/** Programs that Sotto starts get the environment that Sotto was started with. */
function restoreEnvironment(): void {
  const before = process.env['SOTTO_RESTARTED']
  delete process.env['SOTTO_RESTARTED']
  if (before) process.env['GLIBC_TUNABLES'] = before
  else delete process.env['GLIBC_TUNABLES']
}
