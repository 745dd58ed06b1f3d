import type { Page } from '@playwright/test'

/** What is measured: the window, or another way to show the same conversations and streams. */
export interface Subject extends AsyncDisposable {
  readonly name: string
  /** Opens a page in which nothing but `small` is shown. */
  readonly begin: (page: Page) => Promise<void>
  /** Presses what opens this conversation. */
  readonly press: (page: Page, conversation: ConversationName) => Promise<void>
  /** Lets an answer come into the conversation that is open, and returns once its first words are shown. */
  readonly stream: (page: Page, perSecond: number, text: string) => Promise<Streaming>
  /** Where is written, in the page. */
  readonly field: string
  /** In which the messages stand. */
  readonly messages: string
}

export interface Streaming {
  /** Stops it. */
  readonly stop: () => void
}

export type ConversationName = 'many' | 'long' | 'small'

/** For the words that every message of it has. */
export const wordsOf = (name: ConversationName): string => `of ${name}`
