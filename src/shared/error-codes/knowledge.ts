import type { ErrorEntry } from './error-entry.ts'

/** Documents of projects. */
export const knowledgeErrors = {
  'knowledge/document-unknown': {
    status: 404,
    says: 'Document not found.',
    remedy: 'It may have been removed from the project.',
  },
  'knowledge/image': {
    status: 400,
    says: 'An image has no text to find.',
    remedy: 'Attach it to a message instead.',
  },
  'knowledge/unreadable': {
    status: 400,
    says: 'This file can’t be opened.',
    remedy: 'Check that it still exists.',
  },
  'knowledge/passage-unknown': {
    status: 404,
    says: 'A selected passage isn’t in this project. Nothing was sent.',
    remedy: 'Select the passages again.',
  },
  'knowledge/too-many-documents': {
    status: 409,
    says: 'You’ve reached the limit of 500 documents in this project.',
    remedy: 'Remove the ones you don’t use.',
  },
  'knowledge/too-many-passages': {
    status: 409,
    says: 'This document is too large for the project.',
    remedy: 'Remove other documents, or add only the part you need.',
  },
} as const satisfies Record<string, ErrorEntry>
