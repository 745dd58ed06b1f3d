import type { Browser } from '@playwright/test'
import { conversation, receipt } from '../e2e/mock-data.ts'
import { openMockDoor } from '../e2e/mock-door.ts'
import { openWindow } from '../e2e/open-window.ts'
import { noteOpening, notedOpening } from './page-clock.ts'
import { turns } from './texts.ts'

const MESSAGES = '[aria-label="Messages"]'
const MEGABYTE = 1e6

export interface MemoryFigures {
  /** Megabytes in use after a collection: with the first open, and with the last. */
  readonly first: number
  readonly last: number
}

/** So many long conversations, opened one after the other in one tab of the window. */
export async function openInTurn(browser: Browser, count: number): Promise<MemoryFigures> {
  await using door = await openMockDoor()
  const now = Date.now()
  const name = (index: number) => `c${String(index).padStart(2, '0')}`
  door.state.conversations = Array.from({ length: count }, (_, index) => conversation(name(index), name(index), now - index * 1000, turns(name(index), 40, 6_000).map(({ question, answer }) => [question, answer])))
  door.state.receipts = Array.from({ length: count * 40 }, (_, answer) => receipt(`r-${name(Math.floor(answer / 40))}-${String(answer % 40)}`, now))
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  try {
    const session = await page.context().newCDPSession(page)
    const inUse = async () => {
      // A first collection lets finalizers run, whose garbage the second one takes.
      await session.send('HeapProfiler.collectGarbage')
      await session.send('HeapProfiler.collectGarbage')
      const { usedSize, embedderHeapUsedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage')
      return (usedSize + embedderHeapUsedSize + backingStorageSize) / MEGABYTE
    }
    await openWindow(page, door)
    const open = async (index: number) => {
      await noteOpening(page, MESSAGES, `of ${name(index)}`)
      await page.evaluate((place) => {
        location.hash = place
        document.body.click()
      }, `#/chat/${name(index)}`)
      await notedOpening(page)
    }
    await open(0)
    const first = await inUse()
    for (let index = 1; index < count; index += 1) await open(index)
    return { first, last: await inUse() }
  } finally {
    await page.close()
  }
}
