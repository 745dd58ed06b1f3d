import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import { expect, test } from 'vitest'
import type { contract } from '../../../src/shared/contract/sotto-contract.ts'
import { startWorld } from '../../world.ts'
import { windowCaller } from '../../window-caller.ts'

test('a window that goes away while it is handed a file ends nothing but its own call', async () => {
  await using world = await startWorld()
  let response: Response | undefined
  const fetched = (request: Request) => world.core.api(request, windowCaller)
  const client: ContractRouterClient<typeof contract> = createORPCClient(
    new RPCLink({
      url: 'http://sotto.invalid/api',
      fetch: async (request) => (response = await fetched(request)).clone(),
    }),
  )
  const { id } = await client.attachments.add({
    name: 'notes.txt',
    type: 'text/plain',
    content: new Blob(['words '.repeat(50_000)]),
  })
  const unheard: unknown[] = []
  const note = (thrown: unknown) => void unheard.push(thrown)
  process.on('unhandledRejection', note)
  try {
    for (let times = 0; times < 20; times++) {
      const answer = await fetched(
        new Request('http://sotto.invalid/api/attachments/get', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-csrf-token': 'orpc' },
          body: JSON.stringify({ json: { attachmentId: id } }),
        }),
      )
      expect(answer.status).toBe(200)
      const reader = answer.body?.getReader()
      if (times % 2 === 0) await reader?.read()
      await reader?.cancel()
    }
    // An error that nothing can catch is thrown within these turns.
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
  } finally {
    process.off('unhandledRejection', note)
  }
  expect(unheard).toEqual([])
  expect(response?.status).toBe(200)
  expect(await (await client.attachments.get({ attachmentId: id })).text()).toContain('words words')
})
