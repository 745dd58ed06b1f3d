import { useSyncExternalStore } from 'react'

const views = ['chat', 'projects', 'studio', 'data', 'developer', 'wallet', 'privacy', 'settings'] as const
export type ViewName = (typeof views)[number]

/** Views of the service's offers. Without a service they have nothing to show. */
const ofService: ReadonlySet<ViewName> = new Set(['studio', 'data'])

/** @param direct whether Sotto reaches models without a service */
export function viewsOf(direct: boolean): readonly ViewName[] {
  return direct ? views.filter((view) => !ofService.has(view)) : views
}

export interface Route {
  readonly view: ViewName
  /** The open conversation; absent for a new one. */
  readonly conversationId?: string
  /** The open part of another view; absent for its first part. */
  readonly part?: string
  /** The receipt that is open over it. */
  readonly receiptId?: string
}

const CHAT: Route = { view: 'chat' }

const KEY_PARTS: ReadonlyMap<string | undefined, string> = new Map([
  ['new', 'new-api-key'],
  ['revoked', 'revoked-keys'],
])

/** Views of earlier versions, which bookmarks and links still name, and where their content is now. */
const MOVED: ReadonlyMap<string, (part: string | undefined) => Route> = new Map<
  string,
  (part: string | undefined) => Route
>([
  ['local-api', (part) => ({ view: 'developer', ...(part && { part }) })],
  ['keys', (part) => ({ view: 'developer', part: KEY_PARTS.get(part) ?? 'keys' })],
  ['history', () => ({ view: 'wallet', part: 'activity' })],
])

/** The fragment comes from outside, so only an ID in the form of Sotto's own opens a receipt. */
const RECEIPT_ID = /^[\w-]{1,64}$/

/** Parses the fragment as a place in the window. An unknown fragment leads to the chat view. */
export function parseRoute(hash: string): Route {
  const [place = '', query] = hash.split('?', 2)
  const receiptId = new URLSearchParams(query).get('receipt') ?? ''
  return { ...parsePlace(place), ...(RECEIPT_ID.test(receiptId) && { receiptId }) }
}

function parsePlace(place: string): Route {
  const [, first = '', second] = place.split('/')
  try {
    const part = second ? decodeURIComponent(second) : undefined
    const moved = MOVED.get(first)
    if (moved) return moved(part)
    const view = views.find((name) => name === first)
    if (view === undefined) return CHAT
    if (part === undefined) return { view }
    return view === 'chat' ? { view, conversationId: part } : { view, part }
  } catch {
    return CHAT
  }
}

export function addressOf({ view, conversationId, part = conversationId, receiptId }: Route): string {
  const place = part === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(part)}`
  return receiptId === undefined
    ? place
    : `${place}?${new URLSearchParams({ receipt: receiptId }).toString()}`
}

let current: { readonly hash: string; readonly route: Route } = { hash: '', route: CHAT }

function snapshot(): Route {
  if (current.hash !== location.hash) current = { hash: location.hash, route: parseRoute(location.hash) }
  return current.route
}

function subscribe(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, snapshot)
}

export function currentRoute(): Route {
  return snapshot()
}

export function go(route: Route): void {
  location.hash = addressOf(route)
}

/** Follows the desktop app's menu, notifications and links. */
export function followDesktop(): void {
  window.desktop?.onGo((place) => go(parseRoute(place)))
}

/** Goes there without leaving the present place in the history. */
export function replaceRoute(route: Route): void {
  history.replaceState(null, '', addressOf(route))
  dispatchEvent(new HashChangeEvent('hashchange'))
}
