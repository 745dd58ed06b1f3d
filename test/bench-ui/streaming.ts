import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { quantile } from '../bench/statistics.ts'
import { noteKeys, noteOpening, notedKeys, notedOpening } from './page-clock.ts'
import { wordsOf, type Subject } from './subject.ts'
import { CHARS_PER_TOKEN, markdown } from './texts.ts'
import { CATEGORIES, MARK, mainThread, workPerFlush } from './trace.ts'

export const PER_SECOND = 200

export interface StreamingFigures {
  readonly flushes: number
  /** Milliseconds of processor time. */
  readonly flush95: number
  readonly longestTask: number
  /** Milliseconds of wall-clock time. */
  readonly longestTaskClock: number
  /** Milliseconds of wall-clock time. */
  readonly key95: number
}

interface Lengths {
  /**
   * `tracedMs`: while an answer streams and no one types. `keys`: the number of keys that are typed during an
   * answer.
   */
  readonly tracedMs: number
  readonly keys: number
}

const KEY_EVERY_MS = 120

/**
 * Streams an answer into the conversation of many messages: the main thread's work for the answer, and the
 * delay of keys during it.
 */
export async function streamIntoMany(
  browser: Browser,
  subject: Subject,
  { tracedMs, keys }: Lengths,
): Promise<StreamingFigures> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  try {
    await subject.begin(page)
    await noteOpening(page, subject.messages, wordsOf('many'))
    await subject.press(page, 'many')
    await notedOpening(page)
    const seconds = (tracedMs + keys * KEY_EVERY_MS * 4) / 1000 + 10
    const text = `The answer.\n\n${markdown(41, Math.ceil(seconds * PER_SECOND * CHARS_PER_TOKEN))}`
    const streaming = await subject.stream(page, PER_SECOND, text)
    await browser.startTracing(page, { categories: CATEGORIES })
    await page.evaluate((mark) => void performance.mark(mark), MARK)
    await pause(tracedMs)
    const thread = mainThread((await browser.stopTracing()).toString('utf8'))
    await page.locator(subject.field).focus()
    await noteKeys(page)
    for (let key = 0; key < keys; key += 1) {
      await page.keyboard.press('a')
      await pause(KEY_EVERY_MS)
    }
    const waited = await notedKeys(page)
    const written = await page.locator(subject.field).inputValue()
    if (waited.length < keys * 0.9 || written !== 'a'.repeat(keys))
      throw new Error(`Showing ${String(waited.length)} of ${String(keys)} keys were`)
    streaming.stop()
    const work = workPerFlush(thread)
    return {
      flushes: work.length,
      flush95: quantile(work, 0.95),
      longestTask: Math.max(...thread.tasks.map(({ work }) => work)),
      longestTaskClock: Math.max(...thread.tasks.map(({ ms }) => ms)),
      key95: quantile(waited, 0.95),
    }
  } finally {
    await page.close()
  }
}
