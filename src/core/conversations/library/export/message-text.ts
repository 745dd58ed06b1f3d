import { shownPath, treeOf } from '../../../../shared/conversation-tree.ts'
import type { FileConversation, FileMessage } from '../../../../shared/library/conversation-file.ts'

const states: Readonly<Record<FileMessage['state'], string>> = {
  complete: '',
  streaming: 'not complete',
  interrupted: 'interrupted',
  cancelled: 'stopped',
  failed: 'failed',
}
const privacies = {
  sealed: 'Sealed',
  relayed: 'Readable by the model’s provider',
  forwarded: 'Readable by the service',
  refused: 'Refused',
} as const

/** The visible branch, because a page has one order. */
export function shownMessages({ messages, leafId }: FileConversation): FileMessage[] {
  return shownPath(treeOf(messages), messages, leafId)
}

/** In English, independent of the language of the window. */
export function speakerOf({ role }: FileMessage): string {
  return role === 'user' ? 'You' : role === 'assistant' ? 'Answer' : 'Instruction'
}

/** Model, privacy state, how the message ended, its time, and the names of its files. */
export function factsOf({ model, privacy, state, createdAt, attachments = [] }: FileMessage): string[] {
  return [
    model,
    privacy && privacies[privacy],
    states[state],
    timeOf(createdAt),
    attachments.length > 0 ? `with ${attachments.map(({ name }) => name).join(', ')}` : '',
  ].filter((fact): fact is string => fact !== undefined && fact !== '')
}

/** @returns the text in place of an image that is unavailable or too large for the file */
export function notIncluded(name: string): string {
  return `Not in this file: ${name}`
}

/** UTC, to the second. */
export function timeOf(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime())
    ? ''
    : date
        .toISOString()
        .replace('T', ' ')
        .replace(/\.\d+Z$/, ' UTC')
}
