import type { Page } from '@playwright/test'

/** The subject of a measurement: the window, or another way to show the same conversations and streams. */
export interface Subject extends AsyncDisposable {
  readonly name: string
  /** Opens a page that shows only `small`. */
  readonly begin: (page: Page) => Promise<void>
  /** Presses the element that opens this conversation. */
  readonly press: (page: Page, conversation: ConversationName) => Promise<void>
  /** Streams an answer into the open conversation, and returns when its first words appear. */
  readonly stream: (page: Page, perSecond: number, text: string) => Promise<Streaming>
  /** The selector of the input field. */
  readonly field: string
  /** The selector of the element that contains the messages. */
  readonly messages: string
}

export interface Streaming {
  /** Stops it. */
  readonly stop: () => void
}

export type ConversationName = 'many' | 'long' | 'small'

/** Words that every message of the conversation contains. */
export const wordsOf = (name: ConversationName): string => `of ${name}`
