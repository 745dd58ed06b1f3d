import type { Page } from '@playwright/test'
import type { MockServer } from '../mock-door.ts'

/** One state of the window that is worth looking at: what the core knows, where, and what is done there. */
export interface Screen {
  readonly name: string
  /** The group's, where it is absent. */
  readonly place?: string
  readonly set?: (mock: MockServer) => void
  readonly act?: (page: Page, mock: MockServer) => Promise<void>
}

export interface ScreenGroup {
  readonly name: string
  /** Absent: where the window opens. */
  readonly place: string | undefined
  /** Before what a screen sets itself. */
  readonly set?: (mock: MockServer) => void
  /** Waits until the room can be used. */
  readonly shown: (page: Page) => Promise<void>
  readonly screens: readonly Screen[]
}

interface Window {
  readonly page: Page
  readonly mock: MockServer
  readonly open: (place?: string) => Promise<void>
}

/** Brings a screen about, and returns when it stands. */
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
