import { expect, type Browser } from '@playwright/test'
import { quantile } from '../bench/statistics.ts'
import { startMockServer } from '../e2e/mock-server.ts'
import { job } from '../e2e/mock-studio.ts'
import { openWindow } from '../e2e/open-window.ts'
import { listed } from '../e2e/screens/data-screens.ts'
import { CATEGORIES, MARK, mainThread, workPerFlush } from './trace.ts'

export interface TableFigures {
  readonly rows: number
  /** Frames that were drawn while it scrolled. */
  readonly frames: number
  /** The share of frames that came later than a 60 Hz screen shows them, in wall-clock time. */
  readonly late: number
  /** Milliseconds of the processor, of the main thread. */
  readonly work95: number
  readonly longestTask: number
  /** From the answer's arrival to its rows, in wall-clock time. */
  readonly opening: number
}

const TIMEOUTS = { timeout: 120_000 }
/** A frame of 60 Hz, and the error of the clock. */
const FRAME_MS = 1000 / 60
const TOLERANCE_MS = 0.5

/** A row as lookups answer it: nested, of eleven columns. */
function rowOf(at: number): object {
  return {
    id: `p${String(at)}`,
    name: `Ada Adagio ${String(at)}`,
    title: 'Head of research',
    score: (at * 7919) % 100_003,
    email: `ada${String(at)}@adagio.example`,
    city: 'Sandbox',
    followers: at * 3,
    url: `https://adagio.example/in/${String(at)}`,
    organization: { name: 'Adagio Lighthouses', primary_domain: 'adagio.example', employees: at % 900 },
  }
}

/** An answer of this number of rows as a table, scrolled by the wheel for some time. */
export async function scrollTable(browser: Browser, rows: number, scrolledMs: number): Promise<TableFigures> {
  await using mock = await startMockServer()
  listed(mock)
  const bytes = Buffer.from(JSON.stringify({ people: Array.from({ length: rows }, (_, at) => rowOf(at)) }))
  const file = {
    index: 0,
    role: 'answer' as const,
    name: 'answer.json',
    type: 'application/json',
    bytes: bytes.length,
  }
  mock.state.studio.files.set('big/0', { file, bytes })
  mock.state.studio.jobs = [
    job('big', {
      ask: { kind: 'data', method: 'POST', path: '/api/people/people-search', input: { q_keywords: 'all' } },
      files: [file],
    }),
  ]
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  try {
    await openWindow(page, mock, '#/data')
    const begun = performance.now()
    await page.getByRole('button', { name: /"q_keywords":"all"/ }).click(TIMEOUTS)
    const grid = page.getByRole('grid', { name: 'Result as table' })
    await expect(grid.getByRole('gridcell').first()).toBeVisible(TIMEOUTS)
    const opening = performance.now() - begun
    await grid.scrollIntoViewIfNeeded()
    await grid.hover()
    // The frames before were of the opening.
    await page.waitForFunction(() => new Promise((settled) => requestIdleCallback(() => settled(true))))
    await browser.startTracing(page, { categories: CATEGORIES })
    const times = await page.evaluate(
      ([mark, ms]) =>
        new Promise<number[]>((resolve) => {
          performance.mark(mark)
          const grid = document.querySelector('[role="grid"]')
          const frames: number[] = []
          let start: number | undefined
          const step = (at: number) => {
            start ??= at
            frames.push(at)
            // Scrolls as fast as a spun wheel, and sometimes as far as a dragged thumb.
            if (grid)
              grid.scrollTop =
                frames.length % 60 === 0
                  ? (grid.scrollTop + grid.scrollHeight / 7) % grid.scrollHeight
                  : grid.scrollTop + 120
            if (at - start < ms) requestAnimationFrame(step)
            else resolve(frames)
          }
          requestAnimationFrame(step)
        }),
      [MARK, scrolledMs] as const,
    )
    const thread = mainThread((await browser.stopTracing()).toString('utf8'))
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at))
    const work = workPerFlush(thread)
    if (gaps.length < 10 || work.length < 10) throw new Error(`only ${String(gaps.length)} frames were drawn`)
    return {
      rows,
      frames: gaps.length,
      late: gaps.filter((gap) => gap > FRAME_MS + TOLERANCE_MS).length / gaps.length,
      work95: quantile(work, 0.95),
      longestTask: Math.max(...thread.tasks.map(({ work }) => work)),
      opening,
    }
  } finally {
    await page.close()
  }
}
