import fc from 'fast-check'
import { expect, it } from 'vitest'
import { linkViews, sottoLinkSchema } from '../../src/shared/sotto-link.ts'

const parse = (text: unknown) => sottoLinkSchema.safeParse(text).data

it.each([
  ...linkViews.map((view) => [`sotto://open/${view}`, { opens: 'view', view }] as const),
  ['sotto://conversation/8b1a9953-c461', { opens: 'conversation', conversationId: '8b1a9953-c461' }],
  ['sotto://service/ppq', { opens: 'service', profileId: 'ppq' }],
  ['sotto://accounts', { opens: 'accounts' }],
  ['sotto://topup/', { opens: 'topup' }],
] as const)('%s is a link', (text, link) => expect(parse(text)).toEqual(link))

it('is nothing else, whatever is made of one', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'sotto://',
      'sotto:',
      'open',
      'conversation',
      'service',
      'accounts',
      'topup',
      '/',
      '//',
      'wallet',
      '?',
      '#',
      '%2f',
      '..',
      '@',
      ':80',
      'ppq',
      '\n',
      ' ',
    ),
    fc.string({ maxLength: 5 }),
  )
  const plain = new RegExp(
    `^sotto://(?:open/(?:${linkViews.join('|')})|conversation/[\\w-]{1,64}|service/[a-z0-9-]{1,40}|accounts|topup)/?$`,
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
      (text) => {
        const link = parse(text)
        expect(link !== undefined).toBe(plain.test(text) && !text.includes('\n'))
      },
    ),
    { numRuns: 5000 },
  )
})

it.each([null, undefined, 1, {}, ['sotto://topup'], `sotto://topup${'/'.repeat(10_000_000)}`])(
  'is not %#',
  (text) => expect(parse(text)).toBeUndefined(),
)
