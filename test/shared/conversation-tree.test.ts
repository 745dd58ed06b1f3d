import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../src/shared/conversation.ts'
import {
  isPrivateOnly,
  pathTo,
  shownPath,
  shownThread,
  subtreeOf,
  treeOf,
} from '../../src/shared/conversation-tree.ts'

const message = (id: string, more: Partial<Message> = {}): Message => ({
  id,
  conversationId: 'c',
  role: 'user',
  text: id,
  state: 'complete',
  createdAt: 0,
  ...more,
})
const ids = (messages: readonly Message[]) => messages.map(({ id }) => id)

describe('the shown branch', () => {
  test('is the sequence of all messages if none has a parent', () => {
    const old = [message('q1'), message('a1'), message('q2'), message('a2')]
    expect(ids(shownPath(treeOf(old), old, undefined))).toEqual(['q1', 'a1', 'q2', 'a2'])
    expect(shownThread(old, undefined).every(({ at, of }) => at === 0 && of === 1)).toBe(true)
  })

  test('begins with one of several first questions', () => {
    const both = [
      message('q1'),
      message('a1'),
      message('p1', { parentId: null }),
      message('b1', { parentId: 'p1' }),
    ]
    expect(ids(shownPath(treeOf(both), both, 'b1'))).toEqual(['p1', 'b1'])
    expect(ids(shownPath(treeOf(both), both, 'q1'))).toEqual(['q1', 'a1'])
    expect(shownThread(both, 'a1').map(({ at, of }) => [at, of])).toEqual([
      [0, 2],
      [0, 1],
    ])
  })

  test('continues after a message with the newest replies', () => {
    const tree = [
      message('q', { parentId: null }),
      message('a', { parentId: 'q' }),
      message('b', { parentId: 'q' }),
      message('r', { parentId: 'a' }),
    ]
    expect(ids(shownPath(treeOf(tree), tree, 'q'))).toEqual(['q', 'b'])
    expect(ids(shownPath(treeOf(tree), tree, 'a'))).toEqual(['q', 'a', 'r'])
    expect(ids(shownPath(treeOf(tree), tree, 'gone'))).toEqual(['q', 'a', 'r'])
  })

  test('includes messages with an unknown or later parent, without a cycle', () => {
    const odd = [
      message('a', { parentId: 'b' }),
      message('b', { parentId: 'a' }),
      message('c', { parentId: 'nowhere' }),
      message('d', { parentId: 'd' }),
    ]
    expect(ids(shownPath(treeOf(odd), odd, undefined))).toEqual(['a', 'b', 'c', 'd'])
  })
})

test('a private model on any branch makes the whole conversation private', () => {
  expect(isPrivateOnly({ private: false }, [message('q'), message('a', { model: 'sandbox/open' })])).toBe(
    false,
  )
  expect(
    isPrivateOnly({ private: false }, [
      message('a', { model: 'sandbox/open' }),
      message('b', { model: 'private/x' }),
    ]),
  ).toBe(true)
  expect(isPrivateOnly({ private: true }, [])).toBe(true)
  expect(isPrivateOnly(undefined, [])).toBe(false)
})

const step = fc.record({
  kind: fc.constantFrom('send', 'edit', 'regenerate', 'delete', 'switch'),
  which: fc.nat(1000),
})

test('after any sends, edits, regenerations, deletions and selections, each message is reachable and the shown branch is consistent', () => {
  fc.assert(
    fc.property(fc.nat(6), fc.array(step, { maxLength: 40 }), (oldOnes, steps) => {
      // Starts as a conversation from before messages had a `parentId`.
      let messages = Array.from({ length: oldOnes * 2 }, (_, at) =>
        message(`old${String(at)}`, { role: at % 2 === 0 ? 'user' : 'assistant' }),
      )
      let leafId: string | undefined
      let count = 0
      const add = (parentId: string | null, role: Message['role']) => {
        const added = message(`m${String(count++)}`, { parentId, role })
        messages.push(added)
        return (leafId = added.id)
      }
      for (const { kind, which } of steps) {
        const before = treeOf(messages)
        const shown = shownPath(before, messages, leafId)
        const any = messages[which % Math.max(messages.length, 1)]
        const remainingIds = new Set(ids(messages))
        if (kind === 'send') add(add(shown.at(-1)?.id ?? null, 'user'), 'assistant')
        else if (!any) continue
        else if (kind === 'edit' && any.role === 'user')
          add(add(before.parentOf(any.id), 'user'), 'assistant')
        else if (kind === 'regenerate' && any.role === 'user') add(any.id, 'assistant')
        else if (kind === 'switch') leafId = any.id
        else if (kind === 'delete') {
          const gone = subtreeOf(before, any.id)
          leafId = before.parentOf(any.id) ?? undefined
          messages = messages.filter(({ id }) => !gone.has(id))
          for (const id of gone) remainingIds.delete(id)
        }

        const tree = treeOf(messages)
        // Only deleted messages are gone.
        for (const id of remainingIds) expect(tree.get(id)).toBeDefined()
        // From the root, every message is reached exactly once, and messages from before this step have the same
        // parent.
        const reached: string[] = []
        const walk = (id: string | null) => {
          for (const child of tree.childrenOf(id)) {
            reached.push(child.id)
            walk(child.id)
          }
        }
        walk(null)
        expect(reached.toSorted()).toEqual(ids(messages).toSorted())
        for (const { id } of messages) {
          if (before.get(id)) expect(tree.parentOf(id)).toBe(before.parentOf(id))
          const path = pathTo(tree, id)
          expect(path.at(-1)?.id).toBe(id)
          expect(tree.parentOf(path[0]!.id)).toBeNull()
          // The chosen message is on the shown path.
          expect(ids(shownPath(tree, messages, id))).toContain(id)
        }
        // The shown path starts at the root, and each message follows the one before. The last message has no
        // children.
        const path = shownPath(tree, messages, leafId)
        expect(path.map(({ id }) => tree.parentOf(id))).toEqual([null, ...ids(path)].slice(0, path.length))
        if (path.length > 0) expect(tree.childrenOf(path.at(-1)!.id)).toEqual([])
        expect(path.length === 0).toBe(messages.length === 0)
        for (const {
          message: { id },
          at,
          of,
        } of shownThread(messages, leafId)) {
          const siblings = tree.childrenOf(tree.parentOf(id))
          expect([siblings[at]?.id, siblings.length]).toEqual([id, of])
        }
      }
    }),
    { numRuns: 300 },
  )
})
