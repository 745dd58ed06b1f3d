import type { Rule } from './rules.ts'

/** A text that may break a rule. */
export interface Exception {
  /** The whole text, as the check prints it. */
  readonly text: string
  readonly rule: Rule
  readonly reason: string
}

/** At most 20 (test/lint/text-rules.test.ts). The check reports those that nothing needs any more. */
export const exceptions: readonly Exception[] = [
  {
    text: 'Private chats. Verified hardware. Pay only for what you use.',
    rule: 'heading',
    reason: 'The first screen shows the promise of the product in the place of a heading.',
  },
  {
    text: 'Get started',
    rule: 'heading',
    reason: 'The usual title of the first page of a product’s documents.',
  },
  { text: 'What’s new', rule: 'heading', reason: 'The usual title of the release notes in an app.' },
  { text: 'What’s new', rule: 'button', reason: 'Opens the page of that title.' },
  { text: 'Pay per request', rule: 'heading', reason: 'The name of a way to pay, like “pay as you go”.' },
  {
    text: 'Edit \ufffc',
    rule: 'heading',
    reason:
      'The button that opens this dialog is “Edit” in the key’s row, made by a function that the check doesn’t follow.',
  },
  { text: 'Menu', rule: 'button', reason: 'The usual name of the button that shows the navigation.' },
  {
    text: 'Selected: choose another',
    rule: 'button',
    reason: 'The state of a pressed button, with the next step of a comparison.',
  },
  { text: 'Original response', rule: 'button', reason: 'Follows “Save as:”, like the names of the formats.' },
  { text: 'Copied', rule: 'button', reason: 'The outcome, shown for a moment in the button “Copy”.' },
  { text: 'Couldn’t copy', rule: 'button', reason: 'The outcome, shown for a moment in the button “Copy”.' },
]
