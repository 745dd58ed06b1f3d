import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import { atMost, notMeasured, type Row } from './report.ts'
import { median } from './statistics.ts'

const root = resolve(import.meta.dirname, '../..')
const TIMEOUT_MS = 30_000
/** Long enough for deferred work of the start (the sandbox's roots) and a run of the garbage collector. */
const IDLE_AFTER_MS = 12_000
const READY = 'ready, from process start'
const IDLE = 'idle memory (RSS)'

/**
 * The built product as installed: the time from the start of its process to its ready line, and its memory at
 * rest.
 */
export async function start(starts: number): Promise<Row[]> {
  const entry = entryOf(root)
  if (!existsSync(entry))
    return [
      notMeasured(READY, 'ms', 'not built: npm run build'),
      notMeasured(IDLE, 'MB', 'not built: npm run build'),
    ]
  const folder = mkdtempSync(join(tmpdir(), 'sotto-bench-'))
  try {
    const first = await serveOnce(entry, join(folder, 'first'), true)
    const firstStarts = [first.readyMs]
    for (let turn = 1; turn < starts; turn += 1)
      firstStarts.push((await serveOnce(entry, join(folder, `first-${String(turn)}`), false)).readyMs)
    const later = await serveOnce(entry, join(folder, 'first'), true)
    const laterStarts = [later.readyMs]
    for (let turn = 1; turn < starts; turn += 1)
      laterStarts.push((await serveOnce(entry, join(folder, 'first'), false)).readyMs)
    return [
      {
        what: `${READY}: first start`,
        value: median(firstStarts),
        unit: 'ms',
        aim: atMost(median(firstStarts), 500, 'ms'),
      },
      {
        what: `${READY}: later starts`,
        value: median(laterStarts),
        unit: 'ms',
        aim: atMost(median(laterStarts), 500, 'ms'),
      },
      { what: `${IDLE}: first start`, value: first.idleMb, unit: 'MB', aim: atMost(first.idleMb, 120, 'MB') },
      { what: `${IDLE}: later start`, value: later.idleMb, unit: 'MB', aim: atMost(later.idleMb, 120, 'MB') },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function entryOf(checkout: string): string {
  const { bin } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    bin: { sotto: string }
  }
  return join(checkout, bin.sotto)
}

/** The time of one first start of a built checkout, in milliseconds. */
export async function readyTime(checkout: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-bench-'))
  try {
    return (await serveOnce(entryOf(checkout), folder, false)).readyMs
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function serveOnce(
  entry: string,
  dataDir: string,
  idle: boolean,
): Promise<{ readyMs: number; idleMb: number }> {
  const begun = performance.now()
  const child = spawn(process.execPath, [entry, 'serve', '--no-open', '--json'], {
    env: { ...process.env, SOTTO_DATA_DIR: dataDir, SOTTO_VAULT: 'memory', SOTTO_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errorOutput = ''
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (errorOutput = (errorOutput + text).slice(-2_000)))
  const exited = once(child, 'exit')
  try {
    const lines = createInterface({ input: child.stdout })
    const [line] = (await Promise.race([
      once(lines, 'line', { signal: AbortSignal.timeout(TIMEOUT_MS) }),
      exited,
    ])) as [unknown]
    if (typeof line !== 'string' || !line.includes('"ready"'))
      throw new Error(`it did not become ready: ${errorOutput.trim()}`)
    const readyMs = performance.now() - begun
    if (!idle) return { readyMs, idleMb: NaN }
    await new Promise((resume) => setTimeout(resume, IDLE_AFTER_MS))
    return {
      readyMs,
      idleMb: Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)]).toString()) / 1024,
    }
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}
