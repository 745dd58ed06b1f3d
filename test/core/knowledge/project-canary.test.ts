import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import { expect, test, vi } from 'vitest'
import { unlockVault } from '../../../src/core/core.ts'
import type { contract } from '../../../src/shared/contract/sotto-contract.ts'
import type { Conversation } from '../../../src/shared/conversation.ts'
import type { ToolStep } from '../../../src/shared/tool-call.ts'
import { formsOf } from '../../canary.ts'
import { PLAINTEXT_MODEL, PRIVATE_MODEL, startWorld, type World } from '../../world.ts'
import { windowCaller } from '../../window-caller.ts'
import { askChat } from '../conversations/ask-chat.ts'
import { createProject } from '../projects/begin-chat.ts'

const PROMPT = 'canary of the prompt, 17 otters'
const PASSAGE = 'canary of the passage, 23 herons'
const ARGUMENT = 'canary argument 29 kites'
const RESULT = 'canary argument 29 kites, found as a result, 31 terns'
const canaries = { PROMPT, PASSAGE, ARGUMENT, RESULT }

function windowOf({ core }: World): ContractRouterClient<typeof contract> {
  return createORPCClient(
    new RPCLink({ url: 'http://sotto.invalid/api', fetch: (request) => core.api(request, windowCaller) }),
  )
}

/** A question with a passage, whose answer calls the tool that searches the project's files. */
async function askWithTool(world: World, model: string, privateOnly: boolean) {
  const { id: projectId } = await createProject(world, { privateOnly, instructions: PROMPT })
  const { knowledge } = windowOf(world)
  await knowledge.add({ projectId, name: 'a.txt', content: new Blob([PASSAGE]) })
  await knowledge.add({ projectId, name: 'b.txt', content: new Blob([RESULT]) })
  const found = await knowledge.find({ projectId, query: 'herons' })
  expect(found).toHaveLength(1)
  const asking = askChat(world, 'chat/send', {
    model,
    text: `call project_search with ${JSON.stringify({ query: ARGUMENT })}`,
    begin: { projectId },
    passageIds: found.map(({ id }) => id),
    tools: ['project-files'],
  })
  const callId = await vi.waitFor(async () => {
    const [chat] = (await world.call('conversations/list')) as Conversation[]
    const place = { conversationId: chat!.id, answerId: chat!.leafId }
    const steps = (await world.call('tools/steps', place)) as ToolStep[]
    const waiting = steps.find(({ state }) => state === 'asked')
    expect(waiting).toBeDefined()
    return waiting!.id
  }, 10_000)
  await world.call('tools/decide', { callId, decision: 'once' })
  const { events } = await asking
  expect(events.at(-1)).toMatchObject({ type: 'ended', answer: { state: 'complete' } })
  return Buffer.concat(world.outbound)
}

const filesWith = async (folder: string, text: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  const hits = await Promise.all(files.map(async (file) => formsOf(text, await readFile(file)).length > 0))
  return files.filter((_, at) => hits[at])
}

test('the search finds the prompt, the passage, the argument and the result if they leave unsealed', async () => {
  await using world = await startWorld()
  const sent = await askWithTool(world, PLAINTEXT_MODEL, false)
  for (const [name, text] of Object.entries(canaries)) expect(formsOf(text, sent), name).not.toEqual([])
})

test('a private-only project with files and tools at work leaves none of them unsealed, on the wire or on the disk', async () => {
  await using world = await startWorld({
    vault: (folder) => unlockVault({ mode: 'file', folder, passphrase: 'correct horse' }),
  })
  const sent = await askWithTool(world, PRIVATE_MODEL, true)
  expect(sent.length).toBeGreaterThan(500)
  const plain = join(world.folder, 'plain.json')
  for (const [name, text] of Object.entries(canaries)) {
    expect(formsOf(text, sent), name).toEqual([])
    await writeFile(plain, JSON.stringify({ text }))
    expect(await filesWith(world.folder, text), name).toEqual([plain])
    await rm(plain)
  }
})
