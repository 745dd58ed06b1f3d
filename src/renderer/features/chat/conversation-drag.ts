import type { DragEvent } from 'react'
import { create } from 'zustand'
import { reportFailures } from './branches.ts'
import { LIST, useChat } from './chat-store.ts'
import { moveConversation } from './folder-store.ts'

/** Only this window uses this type, so drags from other programs and other tabs can't move a conversation. */
const TYPE = 'application/x-sotto-conversation'

/** Outside of all folders. */
export const OUTSIDE = ''

const useDrag = create<{ readonly dragged: string | undefined; readonly over: string | undefined }>()(() => ({
  dragged: undefined,
  over: undefined,
}))

/** Props for the row of a conversation. */
export function draggable(conversationId: string) {
  return {
    draggable: true,
    onDragStart({ dataTransfer }: DragEvent) {
      // A dragged link would drop its address into the target.
      dataTransfer.clearData()
      dataTransfer.setData(TYPE, '')
      dataTransfer.effectAllowed = 'move'
      useDrag.setState({ dragged: conversationId })
    },
    onDragEnd: () => useDrag.setState({ dragged: undefined, over: undefined }),
  }
}

/** Props for each row on which a conversation can be dropped. @param folderId the folder of the row, or OUTSIDE */
export function droppable(folderId: string) {
  return {
    onDragOver(event: DragEvent) {
      if (useDrag.getState().dragged === undefined) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
      if (useDrag.getState().over !== folderId) useDrag.setState({ over: folderId })
    },
    onDrop(event: DragEvent) {
      const { dragged } = useDrag.getState()
      useDrag.setState({ dragged: undefined, over: undefined })
      if (dragged === undefined) return
      event.preventDefault()
      const from = useChat.getState().conversations?.find(({ id }) => id === dragged)?.folderId ?? OUTSIDE
      if (from !== folderId)
        void reportFailures(LIST, () => moveConversation(dragged, folderId === OUTSIDE ? null : folderId))
    },
  }
}

export function useDropTarget(folderId: string): boolean {
  return useDrag(({ over }) => over === folderId)
}
