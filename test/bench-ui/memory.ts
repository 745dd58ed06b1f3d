import { conversation, receipt } from '../e2e/mock-data.ts'
import { openMockDoor } from '../e2e/mock-door.ts'
import { openPlainPage, type PageMemory } from './plain-page.ts'
import { turns } from './texts.ts'

/** Each time the two are opened in turn. */
const WARM_UP = 25
const SHOWN = 'document.querySelector(\'[aria-label="Messages"]\')?.textContent'

export interface MemoryFigures {
  /** With the first open, in a page that was just opened. */
  readonly cold: PageMemory
  /** With the first open, once the engine has compiled what opening takes. */
  readonly first: PageMemory
  /** With the last open, after all of them in turn. */
  readonly last: PageMemory
}

/**
 * So many long conversations, opened one after the other in one tab of the window. Two others were opened in turn as often before: what the
 * engine compiles of a code that runs often belongs to no conversation, and would count as theirs.
 */
export async function openInTurn(executablePath: string, count: number): Promise<MemoryFigures> {
  await using door = await openMockDoor()
  const now = Date.now()
  const names = ['warm-a', 'warm-b', ...Array.from({ length: count }, (_, index) => `c${String(index).padStart(2, '0')}`)]
  door.state.conversations = names.map((name, index) => conversation(name, name, now - index * 1000, turns(name, 40, 6_000).map(({ question, answer }) => [question, answer])))
  door.state.receipts = names.flatMap((name) => Array.from({ length: 40 }, (_, answer) => receipt(`r-${name}-${String(answer)}`, now)))
  await using page = await openPlainPage(executablePath, door.newAddress())
  await page.until('!location.href.includes("code=") && document.querySelector("textarea") !== null')
  const open = async (name: string) => {
    await page.evaluate(`location.hash = '#/chat/${name}'`)
    await page.until(`${SHOWN}?.includes('of ${name}') === true`)
    await page.evaluate('new Promise((idle) => requestIdleCallback(idle))')
  }
  const [, , firstName = '', ...others] = names
  await open(firstName)
  const cold = await page.memory()
  for (let turn = 0; turn < WARM_UP; turn += 1) {
    await open('warm-a')
    await open('warm-b')
  }
  await open(firstName)
  const first = await page.memory()
  for (const name of others) await open(name)
  return { cold, first, last: await page.memory() }
}
