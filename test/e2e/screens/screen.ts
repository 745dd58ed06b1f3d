import { expect, type Page } from '@playwright/test'
import type { MockServer } from '../mock-server.ts'

/** A state of a page to look at: the state of its server, the view, and the actions in it. */
export interface Screen<Mock = MockServer> {
  readonly name: string
  /** If absent, the group's place. */
  readonly place?: string
  readonly set?: (mock: Mock) => void
  readonly act?: (page: Page, mock: Mock) => Promise<void>
}

export interface ScreenGroup<Mock = MockServer> {
  readonly name: string
  /** If undefined, the view in which the window opens. */
  readonly place: string | undefined
  /** Runs before the screen's own `set`. */
  readonly set?: (mock: Mock) => void
  /** Waits until the view is usable. */
  readonly shown: (page: Page) => Promise<void>
  readonly screens: readonly Screen<Mock>[]
}

interface OpenPage<Mock> {
  readonly page: Page
  readonly mock: Mock
  readonly open: (place?: string) => Promise<void>
}

/** Shows a screen, and returns when it is complete. */
export async function showScreen<Mock>(
  { page, mock, open }: OpenPage<Mock>,
  group: ScreenGroup<Mock>,
  { place, set, act }: Screen<Mock>,
): Promise<void> {
  group.set?.(mock)
  set?.(mock)
  await open(place ?? group.place)
  await group.shown(page)
  // Every screen has one. The part of the window that shows it may still be loading.
  await expect(page.locator('h1').first()).toBeAttached()
  await act?.(page, mock)
}
