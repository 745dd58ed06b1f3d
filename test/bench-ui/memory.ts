import { conversation, receipt } from '../e2e/mock-data.ts'
import { startMockServer } from '../e2e/mock-server.ts'
import { startPlainPage, type PageMemory } from './plain-page.ts'
import { turns } from './texts.ts'

const SHOWN = 'document.querySelector(\'[aria-label="Messages"]\')?.textContent'

export interface MemoryFigures {
  /** The first conversation is open, in a new page. */
  readonly first: PageMemory
  /** The last conversation is open, after all of them in turn. */
  readonly last: PageMemory
  /** The last conversation is open, after all of them in turn a second time. */
  readonly again: PageMemory
}

/** Opens this number of long conversations one after the other in one tab of the window, twice. */
export async function measureMemory(executablePath: string, count: number): Promise<MemoryFigures> {
  await using mock = await startMockServer()
  const now = Date.now()
  const names = Array.from({ length: count }, (_, index) => `c${String(index).padStart(2, '0')}`)
  mock.state.conversations = names.map((name, index) =>
    conversation(
      name,
      name,
      now - index * 1000,
      turns(name, 40, 6_000).map(({ question, answer }) => [question, answer]),
    ),
  )
  mock.state.receipts = names.flatMap((name) =>
    Array.from({ length: 40 }, (_, answer) => receipt(`r-${name}-${String(answer)}`, now)),
  )
  await using page = await startPlainPage(executablePath, mock.newAddress())
  await page.until('!location.href.includes("code=") && document.querySelector("textarea") !== null')
  const open = async (name: string) => {
    await page.evaluate(`location.hash = '#/chat/${name}'`)
    await page.until(`${SHOWN}?.includes('of ${name}') === true`)
    await page.evaluate('new Promise((idle) => requestIdleCallback(idle))')
  }
  const [firstName = '', ...others] = names
  await open(firstName)
  const first = await page.memory()
  for (const name of others) await open(name)
  const last = await page.memory()
  for (const name of names) await open(name)
  return { first, last, again: await page.memory() }
}
