import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { chromiumSwitches } from '../e2e/chromium-switches.ts'

const MEGABYTE = 1e6
/**
 * A pause without activity: longer than idle workers of the window live, and than the engine keeps empty
 * pages.
 */
const REST_MS = 40_000
const TIMEOUT_MS = 60_000

/** In megabytes. */
export interface PageMemory {
  /** In use after a garbage collection: JavaScript, DOM and buffers, with the engine's compiled code. */
  readonly inUse: number
  /** The private memory of the page's process, if the system reports it. */
  readonly process?: number | undefined
}

export interface PlainPage extends AsyncDisposable {
  /** Waits until the expression is true. */
  readonly until: (expression: string) => Promise<void>
  readonly evaluate: (expression: string) => Promise<unknown>
  /** The memory after a pause, in which temporary memory is released. */
  readonly memory: () => Promise<PageMemory>
}

/**
 * A page in a separate Chromium without a recording client: Playwright observes the network, and the page's
 * process then retains every response for it.
 */
export async function startPlainPage(executablePath: string, address: string): Promise<PlainPage> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-ui-'))
  const child = spawn(
    executablePath,
    [
      ...chromiumSwitches,
      '--headless=new',
      '--no-sandbox',
      '--window-size=1280,800',
      '--remote-debugging-port=0',
      `--user-data-dir=${folder}`,
      address,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const exited = once(child, 'exit')
  const base = await devToolsOf(createInterface({ input: child.stderr }))
  const fetchJson = async <Answer>(path: string): Promise<Answer> =>
    (await (await fetch(`${base}/${path}`)).json()) as Answer
  const targets = await fetchJson<{ type: string; webSocketDebuggerUrl: string }[]>('json')
  const version = await fetchJson<{ webSocketDebuggerUrl: string }>('json/version')
  const page = await connect(targets.find(({ type }) => type === 'page')?.webSocketDebuggerUrl ?? '')
  const browser = await connect(version.webSocketDebuggerUrl)
  // Undefined if the page navigated during the call.
  const evaluate = async (expression: string): Promise<unknown> =>
    (
      (await page('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })) as
        | { result: { value?: unknown } }
        | undefined
    )?.result.value
  const privateMegabytes = async () => {
    const { processInfo } = (await browser('SystemInfo.getProcessInfo')) as {
      processInfo: { type: string; id: number }[]
    }
    const megabytes =
      Math.max(...processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => privateBytes(id))) /
      MEGABYTE
    return megabytes > 0 ? megabytes : undefined
  }
  const collected = async () => {
    await page('HeapProfiler.collectGarbage')
    const { usedSize, embedderHeapUsedSize, backingStorageSize } = (await page(
      'Runtime.getHeapUsage',
    )) as Record<'usedSize' | 'embedderHeapUsedSize' | 'backingStorageSize', number>
    return (usedSize + embedderHeapUsedSize + backingStorageSize) / MEGABYTE
  }
  return {
    evaluate,
    async until(expression) {
      const late = AbortSignal.timeout(TIMEOUT_MS)
      while ((await evaluate(expression)) !== true) {
        if (late.aborted) throw new Error(`not within ${String(TIMEOUT_MS / 1000)} s: ${expression}`)
        await evaluate('new Promise((painted) => requestAnimationFrame(painted))')
      }
    },
    async memory() {
      await setTimeout(REST_MS)
      const { targetInfos } = (await browser('Target.getTargets')) as { targetInfos: { type: string }[] }
      if (targetInfos.some(({ type }) => type === 'worker'))
        throw new Error('a thread of the page has not ended')
      // Memory that a first collection frees lets finalizers run. The second collection removes their
      // garbage.
      const inUse = Math.min(await collected(), await collected())
      return { inUse, process: await privateMegabytes() }
    },
    async [Symbol.asyncDispose]() {
      child.kill()
      await exited
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function devToolsOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const port = /^DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(line)?.[1]
    if (port !== undefined) return `http://127.0.0.1:${port}`
  }
  throw new Error('Chromium did not start')
}

/** Calls of the DevTools protocol over a connection. */
async function connect(address: string): Promise<(method: string, params?: object) => Promise<unknown>> {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const asked = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown }
    if (id !== undefined) asked.get(id)?.(result)
  })
  let last = 0
  return (method, params = {}) =>
    new Promise((resolve) => {
      asked.set(++last, resolve)
      socket.send(JSON.stringify({ id: last, method, params }))
    })
}

/** Private bytes of a process as Linux counts them; 0 on other systems. */
function privateBytes(id: number): number {
  try {
    const rollup = readFileSync(`/proc/${String(id)}/smaps_rollup`, 'utf8')
    return ['Private_Dirty', 'Private_Clean'].reduce(
      (sum, name) => sum + Number(new RegExp(`${name}:\\s+(\\d+)`).exec(rollup)?.[1] ?? 0) * 1024,
      0,
    )
  } catch {
    return 0
  }
}
