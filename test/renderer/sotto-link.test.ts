import { expect, it } from 'vitest'
import { parseRoute } from '../../src/renderer/ui/route.ts'
import { linkViews } from '../../src/shared/sotto-link.ts'

it.each(linkViews)('a link to %s leads to that room', (room) =>
  expect(parseRoute(`#/${room}`)).toEqual({ room }),
)

it('a link to a conversation or to the accounts leads there', () => {
  expect(parseRoute('#/chat/8b1a-9')).toEqual({ room: 'chat', conversationId: '8b1a-9' })
  expect(parseRoute('#/wallet/accounts')).toEqual({ room: 'wallet', part: 'accounts' })
})
