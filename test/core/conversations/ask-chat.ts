import type { ChatEvent } from '../../../src/shared/contract/sotto-contract.ts'
import type { World } from '../../world.ts'
import { windowCaller } from '../../window-caller.ts'

export interface Asked {
  readonly events: readonly ChatEvent[]
  readonly error: unknown
}

/** A call of the window's whose answer is a stream of events. */
export async function askChat(
  world: World,
  path: 'chat/send' | 'chat/regenerate',
  input: object,
): Promise<Asked> {
  const response = await world.core.api(
    new Request(`http://sotto.invalid/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ json: input }),
    }),
    windowCaller,
  )
  const events: ChatEvent[] = []
  let error: unknown
  for (const [, name, data] of (await response.text()).matchAll(
    /^event: (\w+)\n(?:[a-z]+: .*\n)*?data: (.+)$/gm,
  )) {
    const { json } = JSON.parse(data!) as { json?: ChatEvent | null }
    if (name === 'error') error = json
    else if (json) events.push(json)
  }
  return { events, error }
}
