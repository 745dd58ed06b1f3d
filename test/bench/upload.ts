import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { clientOver, type CommandClient } from '../../src/cli/client.ts'
import { uploadBytes, uploadFile } from '../../src/cli/studio/upload-file.ts'
import { ownerFetch } from '../../src/host/owner-socket.ts'
import { atMost, notMeasured, type Row } from './report.ts'
import { ResidentWatch } from './resident.ts'
import { quantile } from './statistics.ts'
import { wave } from './upload-file.ts'

const BYTES = 25_000_000
const SMALL = 1000
const AIM_MB = 60
/** The data in transit between two processes. */
const AIM_AHEAD_MB = 2
const TIMEOUT_MS = 60_000
/** Long enough for deferred work of the start and a run of the garbage collector. */
const IDLE_AFTER_MS = 12_000

/**
 * An upload of 25 MB to a running Sotto, as the command and the window do it. Measures the memory of the
 * process, and whether the progress is accurate.
 */
export async function uploads(turns: number): Promise<Row[]> {
  const what = 'a file of 25 MB handed over'
  if (process.platform !== 'linux') return [notMeasured(what, 'MB', 'memory is read from /proc')]
  const folder = mkdtempSync(join(tmpdir(), 'sotto-bench-'))
  const file = join(folder, 'recording.wav')
  writeFileSync(file, wave(BYTES))
  const dataDir = join(folder, 'data')
  const child = spawn(
    process.execPath,
    [resolve(import.meta.dirname, '../../src/cli/index.ts'), 'serve', '--no-open', '--json'],
    {
      env: {
        ...process.env,
        SOTTO_DATA_DIR: dataDir,
        SOTTO_VAULT: 'memory',
        SOTTO_PORT: '0',
        SOTTO_UI_PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const exited = once(child, 'exit')
  try {
    const [line] = (await Promise.race([
      once(createInterface({ input: child.stdout }), 'line', { signal: AbortSignal.timeout(TIMEOUT_MS) }),
      exited,
    ])) as [unknown]
    if (typeof line !== 'string' || !line.includes('"ready"')) throw new Error('it did not become ready')
    const fetch = ownerFetch(dataDir)
    const connection: CommandClient = { client: clientOver(fetch), fetch, ownsDataFolder: false }
    // The cost of a file excludes code that is loaded once for the first upload.
    await uploadBytes(connection, 'small.wav', wave(SMALL), new AbortController().signal)
    await new Promise((resume) => setTimeout(resume, IDLE_AFTER_MS))
    using watch = new ResidentWatch(child.pid)
    let first: number | undefined
    const [ahead, seconds, stepCounts]: [number[], number[], number[]] = [[], [], []]
    for (let turn = 0; turn < turns; turn += 1) {
      const begun = performance.now()
      let steps = 0
      await uploadFile(
        connection,
        file,
        (bytes) => {
          steps += 1
          if (bytes < BYTES) ahead.push(bytes - spooled(dataDir, turn))
        },
        new AbortController().signal,
      )
      seconds.push((performance.now() - begun) / 1_000)
      stepCounts.push(steps)
      first ??= watch.above
    }
    const furthest = Math.max(...ahead) / 1e6
    return [
      {
        what: `${what}: memory of the process above idle, at its peak`,
        value: first ?? NaN,
        unit: 'MB',
        aim: atMost(first ?? NaN, AIM_MB, 'MB'),
        note: `idle ${watch.idle.toFixed(0)} MB`,
      },
      {
        what: `${what}: the same over ${String(turns)}, one after another`,
        value: watch.above,
        unit: 'MB',
        note: 'with what was not collected yet',
      },
      {
        what: `${what}: progress told before it was on the disk, the furthest`,
        value: furthest,
        unit: 'MB',
        aim: atMost(furthest, AIM_AHEAD_MB, 'MB'),
      },
      { what: `${what}: steps of progress`, value: Math.min(...stepCounts), unit: '' },
      { what: `${what}: sealed on the disk, the median`, value: quantile(seconds, 0.5), unit: 's' },
    ]
  } finally {
    child.kill('SIGTERM')
    await exited
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The size in bytes of the newest file, after this number of complete uploads. */
function spooled(dataDir: string, before: number): number {
  const parts = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.part'))
    .map((name) => statSync(join(dataDir, name)).size)
  const all = parts.reduce((sum, size) => sum + size, 0)
  return all - SMALL - before * BYTES
}
