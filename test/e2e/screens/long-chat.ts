import * as data from '../mock-data.ts'
import type { MockServer } from '../mock-server.ts'

const EXCHANGES = 12
/** Words of one message. All messages together are longer than the context of Sandbox Small, and the oldest of them aren't. */
const MESSAGE_LENGTH = 1500

/** A private chat that is too long for its model. */
export function longChat({ state }: MockServer): void {
  state.conversations = [
    data.conversation(
      'long',
      'Plans for a house',
      Date.now(),
      Array.from({ length: EXCHANGES }, (_, at): [string, string] => [
        `Question ${String(at)}. ${'brick '.repeat(MESSAGE_LENGTH)}`,
        `Reply ${String(at)}. ${'mortar '.repeat(MESSAGE_LENGTH)}`,
      ]),
      { model: 'private/sandbox-small' },
    ),
  ]
}

/** A chat whose oldest messages were replaced by a summary. */
export function summarizedChat({ state }: MockServer): void {
  state.conversations = [
    data.conversation(
      'long',
      'Plans for a house',
      Date.now(),
      [
        ['Which walls?', 'Brick, because it stores heat.'],
        ['And the roof?', 'A flat one, with grass on it.'],
      ],
      {
        contextCut: {
          messageId: 'long-a0',
          summary: 'We planned a house with three rooms, brick walls and a flat roof.',
        },
      },
    ),
  ]
}
