import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { giveMemoryBack } from '../../src/host/idle-gc.ts'

export interface Child<Ready> extends AsyncDisposable {
  readonly ready: Ready
  readonly pid: number | undefined
  readonly cpu: () => Promise<ProcessorTime>
  /** The memory after a garbage collection, if the child started with --expose-gc. */
  readonly memory: () => Promise<MemoryInUse>
  /** Makes the child release memory, as the product does at rest. */
  readonly rest: () => Promise<void>
}

/** In bytes. */
export interface MemoryInUse {
  readonly rss: number
  /** On the heap and outside of it, without garbage. */
  readonly inUse: number
}

/** Processor time of a process in milliseconds: of all its threads, and of the thread that serves requests. */
export interface ProcessorTime {
  readonly all: number
  readonly serving: number
}

export interface ChildOptions {
  /** A JSON value. */
  readonly argument?: unknown
  readonly execArgv?: string[]
  readonly env?: Record<string, string>
  readonly timeoutMs?: number
}

/**
 * Starts a file of this folder as a child process and waits for its one message. The child ends with this
 * process. Throws the child's stderr if it ends or sends no message before that.
 */
export async function startChild<Ready>(file: string, options: ChildOptions = {}): Promise<Child<Ready>> {
  const { argument = null, execArgv = [], env = {}, timeoutMs = 60_000 } = options
  const child = fork(resolve(import.meta.dirname, file), [JSON.stringify(argument)], {
    execArgv: ['--disable-warning=ExperimentalWarning', ...execArgv],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let errorOutput = ''
  child.stderr
    ?.setEncoding('utf8')
    .on('data', (text: string) => (errorOutput = (errorOutput + text).slice(-4_000)))
  const exited = new Promise<void>((done) => child.once('exit', () => done()))
  try {
    const ready = await firstMessage<Ready>(child, timeoutMs)
    const ask = async <Answer>(what: 'cpu' | 'memory' | 'rest') => {
      const answer = once(child, 'message', {
        signal: AbortSignal.timeout(what === 'cpu' ? 20_000 : 120_000),
      })
      child.send(what)
      const [reply] = (await answer) as [Answer]
      return reply
    }
    return {
      ready,
      pid: child.pid,
      cpu: () => ask<ProcessorTime>('cpu'),
      memory: () => ask<MemoryInUse>('memory'),
      rest: async () => {
        await ask<string>('rest')
      },
      [Symbol.asyncDispose]: () => stop(child, exited),
    }
  } catch (cause) {
    await stop(child, exited)
    throw new Error(`${file} did not start: ${reason(errorOutput) ?? String(cause)}`, { cause })
  }
}

function firstMessage<Ready>(child: ChildProcess, timeoutMs: number): Promise<Ready> {
  return new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`nothing said in ${String(timeoutMs)} ms`)), timeoutMs)
    child.once('message', (message) => {
      clearTimeout(timer)
      done(message as Ready)
    })
    child.once('exit', (code) => {
      clearTimeout(timer)
      fail(new Error(`it ended with ${String(code)}`))
    })
  })
}

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await exited
  clearTimeout(timer)
}

function reason(output: string): string | undefined {
  return output
    .split('\n')
    .find((line) => /Error\b.*:/.test(line))
    ?.trim()
}

/** In a child: the argument from the parent. */
export function givenArgument(): unknown {
  return JSON.parse(process.argv[2] ?? 'null')
}

/** In a child: sends the ready message, answers the parent's questions, and exits when the parent ends. */
export function tellReady(ready: unknown): void {
  process.on('disconnect', () => process.exit(0))
  const ms = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000
  process.on('message', (asked) => {
    if (asked === 'cpu')
      process.send?.({
        all: ms(process.cpuUsage()),
        serving: ms(process.threadCpuUsage()),
      } satisfies ProcessorTime)
    if (asked === 'memory') process.send?.(memoryInUse())
    if (asked === 'rest') void giveMemoryBack().then(() => process.send?.('rested'))
  })
  process.send?.(ready)
}

function memoryInUse(): MemoryInUse {
  globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss: rss - givenBack(), inUse: heapUsed + external }
}

/**
 * Pages that this process released still count as resident until the system reuses them (madvise(2),
 * MADV_FREE).
 */
function givenBack(): number {
  try {
    return (
      Number(/^LazyFree: +(\d+) kB$/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))?.[1] ?? 0) * 1024
    )
  } catch {
    return 0
  }
}
