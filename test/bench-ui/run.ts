import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { atMost, notMeasured, printTable, type Row } from '../bench/report.ts'
import { buildWindow } from '../e2e/build-window.ts'
import { findChromium } from '../e2e/find-chromium.ts'
import { buildPeerPage } from './build-peer-page.ts'
import { conversations } from './conversations.ts'
import { firstScript } from './first-load.ts'
import { measureMemory } from './memory.ts'
import { measureOpening } from './opening.ts'
import { peers, peerSubject } from './peer-subject.ts'
import type { PageMemory } from './plain-page.ts'
import { PER_SECOND, streamIntoMany } from './streaming.ts'
import type { Subject } from './subject.ts'
import { scrollTable } from './table.ts'
import { windowSubject } from './window-subject.ts'

/**
 * `npm run bench:ui`: the time of Chromium's main thread that the window takes, compared with other ways to
 * show the same. `--quick` measures a tenth of the size, `--json` prints one object on stdout, `--only name`
 * runs one part, `--alone` leaves out the others.
 */
const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    only: { type: 'string' },
    alone: { type: 'boolean', default: false },
  },
})
const scale = options.quick ? 0.1 : 1

const executablePath = findChromium()
if (executablePath === undefined)
  throw new Error(
    'No Chromium was found. Install one ("apt-get install chromium") or name one in CHROMIUM_PATH.',
  )

await using stack = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-ui-'))
stack.defer(() => rm(folder, { recursive: true, force: true }))
/** The number of programs that wanted a processor in the last minute, before this benchmark started. */
const load = loadavg()[0] ?? NaN
await buildWindow()
if (!options.alone) await buildPeerPage(folder)
const browser = await chromium.launch({ executablePath })
stack.defer(() => browser.close())
const all = conversations(scale)
const sotto = stack.use(await windowSubject(all))
const others: Subject[] = []
if (!options.alone) for (const peer of peers) others.push(stack.use(await peerSubject(peer, all, folder)))

/** Measures the window and the others one after the other. If another one fails, its row states this. */
async function sideBySide<Figures>(
  measure: (subject: Subject) => Promise<Figures>,
  rows: (name: string, figures: Figures, sotto: Figures) => Row[],
): Promise<Row[]> {
  const sottoFigures = await measure(sotto)
  const lines = rows('Sotto', sottoFigures, sottoFigures)
  for (const other of others) {
    try {
      lines.push(...rows(other.name, await measure(other), sottoFigures).map(({ aim: _, ...row }) => row))
    } catch (cause) {
      lines.push(
        notMeasured(
          other.name,
          'ms',
          cause instanceof Error ? (cause.message.split('\n', 1)[0] ?? '') : String(cause),
        ),
      )
    }
  }
  return lines
}

const compareToSotto = (name: string, sottoValue: number) =>
  name === 'Sotto' ? {} : { against: { what: 'Sotto', value: sottoValue } }
const ms = (what: string, value: number, limit: number, name: string, sottoValue: number): Row => ({
  what: `${name}: ${what}`,
  value,
  unit: 'ms',
  aim: atMost(value, limit, 'ms'),
  ...compareToSotto(name, sottoValue),
})

const many = String(all.many.length * 2)
const tokens = `${String(Math.round(300 * scale))},000`
const parts: Record<string, { title: string; rows: () => Promise<Row[]> }> = {
  load: {
    title: 'First load',
    rows: async () => {
      const kilobytes = (await firstScript(browser)) / 1000
      return [
        {
          what: 'script before one can write, gzipped',
          value: kilobytes,
          unit: 'kB',
          aim: atMost(kilobytes, 250, 'kB'),
        },
      ]
    },
  },
  streaming: {
    title: `${String(PER_SECOND)} tokens/s into ${many} messages`,
    rows: () =>
      sideBySide(
        (subject) => streamIntoMany(browser, subject, { tracedMs: 10_000 * Math.max(scale, 0.5), keys: 50 }),
        (name, figures, sottoFigures) => [
          {
            ...ms(
              'main-thread work per flush, 95th percentile',
              figures.flush95,
              8,
              name,
              sottoFigures.flush95,
            ),
            note: `${String(figures.flushes)} flushes`,
          },
          {
            ...ms('longest task', figures.longestTask, 50, name, sottoFigures.longestTask),
            note: `${figures.longestTaskClock.toFixed(1)} ms by the clock`,
          },
          ms('key to paint, 95th percentile', figures.key95, 50, name, sottoFigures.key95),
        ],
      ),
  },
  opening: {
    title: `Opening ${tokens} tokens`,
    rows: () =>
      sideBySide(
        (subject) => measureOpening(browser, subject, subject === sotto ? 5 : 2),
        (name, figures, sottoFigures) => [
          ms('first content', figures.first, 300, name, sottoFigures.first),
          ms('settled', figures.settled, 1000, name, sottoFigures.settled),
        ],
      ),
  },
  table: {
    title: `Scrolling ${String(100_000 * scale)} rows`,
    rows: async () => {
      const { frames, late, work95, longestTask, opening } = await scrollTable(
        browser,
        100_000 * scale,
        10_000 * Math.max(scale, 0.5),
      )
      return [
        {
          what: 'main-thread work per frame, 95th percentile',
          value: work95,
          unit: 'ms',
          aim: atMost(work95, 16.7, 'ms'),
          note: `${String(frames)} frames`,
        },
        {
          what: 'frames later than 16.7 ms, by the clock',
          value: late * 100,
          unit: '%',
          aim: atMost(late * 100, 5, '%'),
        },
        { what: 'longest task', value: longestTask, unit: 'ms', aim: atMost(longestTask, 50, 'ms') },
        { what: 'from the press to the first rows, by the clock', value: opening, unit: 'ms' },
      ]
    },
  },
  memory: {
    title: 'Memory',
    rows: async () => {
      const count = options.quick ? 10 : 50
      const { first, last, again } = await measureMemory(executablePath, count)
      const rows = (of: string, part: keyof PageMemory): Row[] => {
        const [opened, after, then] = [first[part], last[part], again[part]]
        if (opened === undefined || after === undefined || then === undefined)
          return [notMeasured(of, 'MB', 'this system does not tell')]
        const against = { what: 'first', value: opened }
        return [
          { what: `${of}: with the first long conversation, just opened`, value: opened, unit: 'MB' },
          {
            what: `${of}: after ${String(count)} in turn, with the last`,
            value: after,
            unit: 'MB',
            against,
            aim: { says: '≤ 1.2 × it', met: after <= opened * 1.2 },
          },
          { what: `${of}: after the same ${String(count)} once more`, value: then, unit: 'MB', against },
        ]
      }
      return [...rows('in use', 'inUse'), ...rows('the process', 'process')]
    },
  },
}

const result: Record<string, Row[]> = {}
for (const [name, part] of Object.entries(parts)) {
  if (options.only !== undefined && options.only !== name) continue
  const rows = await part.rows()
  result[name] = rows
  if (!options.json) printTable(part.title, rows)
}
const cores = availableParallelism()
const machine = { browser: browser.version(), node: process.version, cores, load }
if (options.json)
  console.log(JSON.stringify({ ...machine, at: new Date().toISOString(), ...result }, null, 2))
else
  console.log(
    `Chromium ${machine.browser}, ${String(cores)} cores, load ${load.toFixed(2)} before the run${load > cores / 2 ? ': on a machine that was busy' : ''}`,
  )
