import { z } from 'zod'

/** The views that a link can open. `keys` and `local-api` are names of earlier versions: the window opens Developer. */
export const linkViews = [
  'chat',
  'studio',
  'data',
  'developer',
  'wallet',
  'keys',
  'history',
  'privacy',
  'local-api',
  'settings',
] as const

/** The possible targets of a `sotto://` link. None has a key, an amount or a text. */
export type SottoLink =
  | { readonly opens: 'view'; readonly view: (typeof linkViews)[number] }
  | { readonly opens: 'conversation'; readonly conversationId: string }
  | { readonly opens: 'service'; readonly profileId: string }
  | { readonly opens: 'accounts' }
  | { readonly opens: 'topup' }

const viewSchema = z.enum(linkViews)
const conversationId = z.string().regex(/^[\w-]{1,64}$/)
const profileId = z.string().regex(/^[a-z0-9-]{1,40}$/)

/** Far above the longest of them. */
const MAX_LENGTH = 200

/**
 * An attacker controls the link, because any program or page can open one. It must be exactly one of these,
 * without escapes, query, fragment or port. Anything else is refused.
 */
export const sottoLinkSchema = z
  .string()
  .max(MAX_LENGTH)
  .transform((text, context): SottoLink => {
    const [, what, which] = /^sotto:\/\/([a-z]+)(?:\/([\w-]+))?\/?$/.exec(text) ?? []
    const link = linkOf(what, which)
    if (link) return link
    context.addIssue({ code: 'custom', message: 'no such link' })
    return z.NEVER
  })

function linkOf(what: string | undefined, which: string | undefined): SottoLink | undefined {
  if (which === undefined) return what === 'accounts' || what === 'topup' ? { opens: what } : undefined
  switch (what) {
    case 'open': {
      const { data } = viewSchema.safeParse(which)
      return data && { opens: 'view', view: data }
    }
    case 'conversation': {
      const { data } = conversationId.safeParse(which)
      return data === undefined ? undefined : { opens: 'conversation', conversationId: data }
    }
    case 'service': {
      const { data } = profileId.safeParse(which)
      return data === undefined ? undefined : { opens: 'service', profileId: data }
    }
    default:
      return undefined
  }
}
