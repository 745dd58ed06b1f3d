import type { Browser } from '@playwright/test'
import { median } from '../bench/statistics.ts'
import { noteOpening, notedOpening } from './page-clock.ts'
import { wordsOf, type Subject } from './subject.ts'

export interface OpeningFigures {
  /** Medians, in milliseconds from the press. */
  readonly first: number
  readonly settled: number
}

/** The long conversation, opened in a page that has not shown it before. */
export async function measureOpening(
  browser: Browser,
  subject: Subject,
  rounds: number,
): Promise<OpeningFigures> {
  const first: number[] = []
  const settled: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    try {
      await subject.begin(page)
      await noteOpening(page, subject.messages, wordsOf('long'))
      await subject.press(page, 'long')
      const opening = await notedOpening(page)
      first.push(opening.first)
      settled.push(opening.settled)
    } finally {
      await page.close()
    }
  }
  return { first: median(first), settled: median(settled) }
}
