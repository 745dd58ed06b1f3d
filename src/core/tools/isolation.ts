import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'

/** What cuts a server off from the network. `none`: nothing can on this system, so the network is allowed. */
export type NetworkIsolation = 'bwrap' | 'unshare' | 'sandbox-exec' | 'none'

/** A program with its arguments, without a shell. */
export interface ProgramCall {
  readonly file: string
  readonly args: readonly string[]
}

/** Fixed paths: a search in PATH could find a program of the same name that isolates nothing. */
const PROGRAMS = {
  bwrap: '/usr/bin/bwrap',
  unshare: '/usr/bin/unshare',
  'sandbox-exec': '/usr/bin/sandbox-exec',
} as const
const CANDIDATES: Readonly<Record<string, readonly Exclude<NetworkIsolation, 'none'>[]>> = {
  linux: ['bwrap', 'unshare'],
  darwin: ['sandbox-exec'],
}
const PROBE_MS = 5000

/**
 * Wraps a program so that it has no network, not even loopback. It isn't a sandbox for files: the program can
 * still read what its user can read, and connect to sockets that are files. With bwrap, `hidden` folders are
 * empty for it, except its own folder.
 *
 * @param hidden existing folders, such as Sotto's data folder
 */
export function isolateProgram(
  kind: NetworkIsolation,
  { file, args }: ProgramCall,
  { folder, hidden }: { readonly folder: string; readonly hidden: readonly string[] },
): ProgramCall {
  switch (kind) {
    case 'none':
      return { file, args }
    case 'bwrap':
      return {
        file: PROGRAMS.bwrap,
        args: [
          ...['--dev-bind', '/', '/'],
          ...hidden.flatMap((path) => ['--tmpfs', path]),
          ...['--bind', folder, folder, '--chdir', folder],
          ...['--unshare-net', '--unshare-ipc', '--die-with-parent'],
          ...['--', file, ...args],
        ],
      }
    case 'unshare':
      return { file: PROGRAMS.unshare, args: ['--map-root-user', '--net', '--', file, ...args] }
    case 'sandbox-exec':
      return {
        file: PROGRAMS['sandbox-exec'],
        args: ['-p', '(version 1)(allow default)(deny network*)', file, ...args],
      }
  }
}

/**
 * Finds what can isolate a program here, by running an empty program with it: kernels and containers often
 * forbid what is installed.
 *
 * @param runs whether a program ends without an error
 */
export async function detectIsolation(
  platform: string = process.platform,
  runs: (call: ProgramCall) => Promise<boolean> = endsWell,
): Promise<NetworkIsolation> {
  for (const kind of CANDIDATES[platform] ?? []) {
    const probe = isolateProgram(kind, { file: '/usr/bin/true', args: [] }, { folder: '/tmp', hidden: [] })
    if (await runs(probe)) return kind
  }
  return 'none'
}

function endsWell({ file, args }: ProgramCall): Promise<boolean> {
  if (!existsSync(file)) return Promise.resolve(false)
  return new Promise((resolve) => {
    const child = spawn(file, [...args], { stdio: 'ignore', env: {}, timeout: PROBE_MS })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}
