import { create } from 'zustand'
import { onServiceChange } from '../../ui/status-store.ts'

/** `conversationId` is absent for all of them. */
export type LibraryDialog =
  | { readonly kind: 'export'; readonly conversationId?: string }
  | { readonly kind: 'import' | 'backup' | 'restore' }

export const useLibraryDialog = create<{ readonly dialog: LibraryDialog | undefined }>()(() => ({
  dialog: undefined,
}))

export function openLibraryDialog(dialog: LibraryDialog): void {
  useLibraryDialog.setState({ dialog })
}

export function closeLibraryDialog(): void {
  useLibraryDialog.setState({ dialog: undefined })
}

// What is exported or taken in is of the service that was left.
onServiceChange(closeLibraryDialog)
