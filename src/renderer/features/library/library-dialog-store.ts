import { currentScope } from '../../data/service-scope.tsx'
import { setScopedState, type ScopedState } from '../../data/use-answer.ts'

/** `conversationId` is absent for all of them. */
export type LibraryDialog =
  | { readonly kind: 'export'; readonly conversationId?: string }
  | { readonly kind: 'import' | 'backup' | 'restore' }

/** null if no dialog is open. */
export const libraryDialog: ScopedState<LibraryDialog | null> = { key: ['library-dialog'], initial: null }

export function showLibraryDialog(dialog: LibraryDialog): void {
  setScopedState(currentScope(), libraryDialog, () => dialog)
}

export function closeLibraryDialog(): void {
  setScopedState(currentScope(), libraryDialog, () => null)
}
