import { expect, it } from 'vitest'
import { parseRoute } from '../../src/renderer/ui/route.ts'
import { linkViews } from '../../src/shared/sotto-link.ts'

it.each(linkViews.filter((view) => view !== 'history'))('a link to %s leads to that room', (room) =>
  expect(parseRoute(`#/${room}`)).toEqual({ room }),
)

it('an address of the history leads to the activity of the wallet', () =>
  expect(parseRoute('#/history')).toEqual({ room: 'wallet', part: 'activity' }))

it('a link to a conversation or to the accounts leads there', () => {
  expect(parseRoute('#/chat/8b1a-9')).toEqual({ room: 'chat', conversationId: '8b1a-9' })
  expect(parseRoute('#/wallet/accounts')).toEqual({ room: 'wallet', part: 'accounts' })
})
