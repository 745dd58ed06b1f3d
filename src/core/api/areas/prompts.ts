import { MOST_PROMPTS } from '../../../shared/contract/prompts.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

/**
 * Answers promptsContract. Names are told apart without regard to case; of many that are taken in, all are written or none. Throws
 * vault/locked, prompt/name-taken, prompt/too-many.
 */
export function promptsArea(core: ApiContext, os: Implementer['prompts']) {
  const prompts = () => core.open().store.prompts
  return {
    list: os.list.handler(() => prompts().list()),
    save: os.save.handler(({ input: { promptId, name, text } }) => {
      const others = prompts()
        .list()
        .filter(({ id }) => id !== promptId)
      if (others.some((other) => sameName(other.name, name))) throw new SottoError('prompt/name-taken')
      if (others.length >= MOST_PROMPTS) throw new SottoError('prompt/too-many')
      return prompts().put({ name, text, ...(promptId !== undefined && { id: promptId }) })
    }),
    remove: os.remove.handler(({ input }) => ({ removed: prompts().remove(input.promptId) })),
    takeIn: os.takeIn.handler(({ input }) => {
      const here = prompts().list()
      const names = new Set(here.map(({ name }) => name.toLowerCase()))
      const known = new Set(here.map(({ name, text }) => JSON.stringify([name, text])))
      const added: { name: string; text: string }[] = []
      for (const { name, text } of input.prompts) {
        if (known.has(JSON.stringify([name, text]))) continue
        known.add(JSON.stringify([name, text]))
        const free = freeName(name, names)
        names.add(free.toLowerCase())
        added.push({ name: free, text })
      }
      if (here.length + added.length > MOST_PROMPTS) throw new SottoError('prompt/too-many')
      core.open().store.atOnce(() => added.forEach((prompt) => prompts().put(prompt)))
      return { added: added.length, known: input.prompts.length - added.length }
    }),
  }
}

function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

const NAME_LENGTH = 100

function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name
  for (let number = 2; taken.has(free.toLowerCase()); number += 1) {
    const end = ` (${String(number)})`
    free = `${name.slice(0, NAME_LENGTH - end.length)}${end}`
  }
  return free
}
