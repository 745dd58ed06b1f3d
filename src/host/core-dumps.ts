import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/** The full path, so that PATH doesn't choose the program. Part of util-linux. */
const PRLIMIT = '/usr/bin/prlimit'
const TIMEOUT_MS = 2_000

/**
 * Disables core dumps of this process on Linux, because they would write keys and plaintext to the disk.
 * Node can't set a limit of its own process, so this uses the system's means. The filter excludes all
 * memory from a dump, even if the kernel passes it to a crash handler and ignores the limit. The limit
 * prevents the core file. macOS and Windows have neither.
 *
 * Never throws: a system without /proc or util-linux keeps its own settings.
 *
 * @see https://man7.org/linux/man-pages/man5/core.5.html
 */
export async function disableCoreDumps(): Promise<void> {
  if (process.platform !== 'linux') return
  await Promise.allSettled([
    writeFile('/proc/self/coredump_filter', '0'),
    promisify(execFile)(PRLIMIT, ['--core=0:0', '--pid', String(process.pid)], {
      env: {},
      timeout: TIMEOUT_MS,
    }),
  ])
}
