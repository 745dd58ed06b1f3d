import { plural, t } from '@lingui/core/macro'
import type { ExportEvent } from '../../../shared/library/conversation-file.ts'
import { useSaving } from '../../files/use-saving.ts'
import { formatCount } from '../../ui/format/number.ts'

/** Saves chats in a file that is named by the day. */
export function useSavingChats() {
  const { save, ...state } = useSaving(outcomeOf)
  return {
    ...state,
    save: (
      { ending, type }: { readonly ending: string; readonly type: string },
      events: Parameters<typeof save>[2],
    ) => save(`sotto-conversations-${new Date().toISOString().slice(0, 10)}.${ending}`, type, events),
  }
}

function outcomeOf({
  conversations,
  unreadable,
  unreadableFiles = 0,
}: Extract<ExportEvent, { type: 'ended' }>): string {
  const counted =
    unreadable > 0
      ? t`Saved ${plural(conversations, { one: '# chat', other: '# chats' })}; ${formatCount(unreadable)} couldn’t be read.`
      : plural(conversations, { one: 'Saved # chat.', other: 'Saved # chats.' })
  return unreadableFiles > 0
    ? `${counted} ${plural(unreadableFiles, { one: '# attachment couldn’t be read and isn’t included.', other: '# attachments couldn’t be read and aren’t included.' })}`
    : counted
}
