import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { COMMAND } from './command.ts'
import type { Ready } from './sotto-process.ts'
import { dataOf } from './command-json.ts'

/** The bit of SIGUSR1 in the masks of /proc/PID/status. */
const SIGUSR1 = 1n << 9n
const LISTEN = '0A'
/** Both entries that Node runs: the command, and the one behind `npm start`. */
const ENTRIES = [
  ['the command', [COMMAND, 'serve', '--no-open', '--json']],
  ['npm start', [join(dirname(COMMAND), COMMAND.endsWith('.js') ? 'start.js' : 'start.ts'), '--json']],
] as const

let folder: string
let child: ChildProcess | undefined
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'sotto-inspector-'))))
afterEach(async () => {
  if (child && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
})

function start(flags: readonly string[], args: readonly string[], environment: Record<string, string> = {}) {
  return run(process.execPath, [...flags, ...args], environment)
}

function run(program: string, args: readonly string[], environment: Record<string, string>) {
  const started = spawn(program, args, {
    env: {
      ...process.env,
      SOTTO_DATA_DIR: folder,
      SOTTO_PORT: '0',
      SOTTO_UI_PORT: '0',
      SOTTO_VAULT: 'memory',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child = started
  let stderr = ''
  started.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const lines = createInterface({ input: started.stdout })
  const ready = new Promise<Ready | null>((resolve) => {
    lines.once('line', (line) => resolve(dataOf(line) as Ready))
    started.once('exit', () => resolve(null))
  })
  return { pid: started.pid!, ready, stderr: () => stderr }
}

/** Whether Node handles SIGUSR1 yet. Before that, the system's default ends the process. */
function nodeHandlesSignal(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return ['SigBlk', 'SigCgt'].some(
      (name) => (BigInt(`0x${new RegExp(`^${name}:\\s*(\\w+)`, 'm').exec(status)![1]!}`) & SIGUSR1) !== 0n,
    )
  } catch {
    return false
  }
}

/** The TCP ports that the process listens on. */
function portsOf(pid: number): number[] {
  const sockets = new Set(
    readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
      try {
        return [/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1] ?? '']
      } catch {
        return []
      }
    }),
  )
  const rows = ['tcp', 'tcp6'].flatMap((name) =>
    readFileSync(`/proc/${pid}/net/${name}`, 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/)),
  )
  return rows
    .filter((row) => row[3] === LISTEN && sockets.has(row[9]!))
    .map((row) => Number.parseInt(row[1]!.split(':')[1]!, 16))
    .sort((a, b) => a - b)
}

/** The process's ports on which Node's inspector answers. */
async function inspectorPorts(pid: number): Promise<number[]> {
  const found = await Promise.all(
    portsOf(pid).map(async (port) => {
      const answer = await fetch(`http://127.0.0.1:${port}/json/version`).then(
        (response) => response.text(),
        () => '',
      )
      return answer.includes('Protocol-Version') ? [port] : []
    }),
  )
  return found.flat()
}

/**
 * Three requests, one after another, show that the process still runs. They also give it time for anything
 * that a signal started.
 */
async function expectAnswers({ proxy }: Ready): Promise<void> {
  for (let count = 0; count < 3; count++)
    expect((await fetch(new URL('/health', proxy.baseUrl))).status).toBe(200)
}

/** Sends one signal after another from the first moment that Node handles it until the process is ready or has ended. */
async function signalUntilReady(pid: number, ready: Promise<Ready | null>): Promise<Ready | null> {
  let over = false
  const outcome = ready.finally(() => (over = true))
  await expect.poll(() => over || nodeHandlesSignal(pid), { interval: 1 }).toBe(true)
  await expect.poll(() => over || !child!.kill('SIGUSR1'), { interval: 2 }).toBe(true)
  return outcome
}

const isLinux = process.platform === 'linux'

describe.runIf(isLinux).each(ENTRIES)('SIGUSR1 to %s', (_name, args) => {
  it('opens no inspector once Sotto runs, and changes nothing', async () => {
    const { pid, ready } = start([], args)
    const running = (await ready)!
    const before = portsOf(pid)
    expect(before).toContain(Number(new URL(running.ui).port))
    for (let count = 0; count < 5; count++) process.kill(pid, 'SIGUSR1')
    await expectAnswers(running)
    expect(portsOf(pid)).toEqual(before)
    expect(await inspectorPorts(pid)).toEqual([])
  })

  it('opens no inspector in any moment of a start, which may end', async () => {
    const { pid, ready } = start([], args)
    const running = await signalUntilReady(pid, ready)
    if (running) expect(await inspectorPorts(pid)).toEqual([])
    // The start replaces the process, which closes an open inspector. A signal in that moment ends the process.
    else
      expect([child!.signalCode, child!.exitCode]).toEqual(
        child!.exitCode === 1 ? [null, 1] : ['SIGUSR1', null],
      )
  })

  it('changes nothing at any moment of a start with --disable-sigusr1', async () => {
    const { pid, ready } = start(['--disable-sigusr1'], args)
    const running = (await signalUntilReady(pid, ready))!
    await expectAnswers(running)
    expect(await inspectorPorts(pid)).toEqual([])
  })

  it('doesn’t affect an inspector that the command line requested', async () => {
    const { pid, ready } = start(['--inspect=127.0.0.1:0'], args)
    await expectAnswers((await ready)!)
    expect(await inspectorPorts(pid)).toHaveLength(1)
  })

  it('doesn’t affect an inspector that NODE_OPTIONS requested', async () => {
    const { pid, ready } = start([], args, { NODE_OPTIONS: '--no-warnings --inspect=127.0.0.1:0' })
    await expectAnswers((await ready)!)
    expect(await inspectorPorts(pid)).toHaveLength(1)
  })
})

describe.runIf(isLinux)('SIGUSR1 to a command that isn’t started again', () => {
  it('ends the start if it opened the inspector before Sotto could refuse it', async () => {
    const { pid, ready, stderr } = start([], [COMMAND, 'sandbox'])
    expect(await signalUntilReady(pid, ready)).toBeNull()
    expect(child!.exitCode).toBe(1)
    expect(stderr()).toContain('A signal opened the Node.js debugger')
  })
})

describe.runIf(isLinux)('SIGUSR1 to the command as npm installs it', () => {
  /** The launcher, linked as npm links it, above this command in place of the built one. */
  function installCommand(): string {
    for (const name of ['bin', join('out', 'main')])
      mkdirSync(join(folder, 'package', name), { recursive: true })
    const launcher = join(folder, 'package', 'bin', 'sotto.cjs')
    copyFileSync(join(import.meta.dirname, '../../bin/sotto.cjs'), launcher)
    chmodSync(launcher, 0o755)
    writeFileSync(join(folder, 'package', 'package.json'), '{"type":"module"}')
    writeFileSync(
      join(folder, 'package', 'out', 'main', 'sotto.js'),
      `await import(${JSON.stringify(pathToFileURL(COMMAND).href)})`,
    )
    const link = join(folder, 'sotto')
    symlinkSync(launcher, link)
    return link
  }
  const commandLine = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')

  // test/packaging/launcher.test.ts has the moments before: the restart closes an inspector that is open.
  it('opens no inspector at any moment after the restart with the flag, and Sotto keeps running', async () => {
    const path = [dirname(process.execPath), process.env['PATH']].join(delimiter)
    const { pid, ready, stderr } = run(installCommand(), ['serve', '--no-open', '--json'], { PATH: path })
    await expect.poll(() => commandLine(pid), { interval: 1 }).toContain('--disable-sigusr1')
    const running = await signalUntilReady(pid, ready)
    expect(stderr()).toBe('')
    await expectAnswers(running!)
    expect(commandLine(pid)[1]).toBe('--disable-sigusr1')
    expect(await inspectorPorts(pid)).toEqual([])
  })
})
