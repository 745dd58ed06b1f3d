import type { Page } from '@playwright/test'
import type { MockServer } from '../mock-server.ts'

/** A state of the window to look at: the core's state, the view, and the actions in it. */
export interface Screen {
  readonly name: string
  /** If absent, the group's place. */
  readonly place?: string
  readonly set?: (mock: MockServer) => void
  readonly act?: (page: Page, mock: MockServer) => Promise<void>
}

export interface ScreenGroup {
  readonly name: string
  /** If undefined, the view in which the window opens. */
  readonly place: string | undefined
  /** Runs before the screen's own `set`. */
  readonly set?: (mock: MockServer) => void
  /** Waits until the view is usable. */
  readonly shown: (page: Page) => Promise<void>
  readonly screens: readonly Screen[]
}

interface Window {
  readonly page: Page
  readonly mock: MockServer
  readonly open: (place?: string) => Promise<void>
}

/** Shows a screen, and returns when it is complete. */
export async function showScreen(
  { page, mock, open }: Window,
  group: ScreenGroup,
  { place, set, act }: Screen,
): Promise<void> {
  group.set?.(mock)
  set?.(mock)
  await open(place ?? group.place)
  await group.shown(page)
  await act?.(page, mock)
}
