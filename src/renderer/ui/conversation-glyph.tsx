import { t } from '@lingui/core/macro'
import { Import, MessageSquare } from 'lucide-react'
import type { Conversation } from '../../shared/conversation.ts'
import { Hidden } from './hidden.tsx'
import { useCurrentChat } from './current-chat.ts'
import { PrivacyGlyph, privacyWord } from './privacy-mark.tsx'

interface ConversationGlyphProps {
  conversation: Pick<Conversation, 'private' | 'imported'>
  className: string | undefined
  /** Names the state for screen readers too. */
  named?: boolean
}

/**
 * What a list knows about a conversation. It doesn't know whether the service could read earlier messages of one that isn't private, so
 * it promises nothing if the next message would be relayed.
 */
export function ConversationGlyph({ conversation, className, named = false }: ConversationGlyphProps) {
  const { privacy } = useCurrentChat()
  if (conversation.imported === true)
    return <Import size={14} strokeWidth={1.75} className={className} role="img" aria-label={t`Imported`} />
  if (!conversation.private && privacy === 'relayed') {
    return (
      <>
        <MessageSquare size={14} strokeWidth={1.75} className={className} aria-hidden />
        {named && <Hidden>{t`Not private`}: </Hidden>}
      </>
    )
  }
  // Most chats are private, so a mark on each of them would hide the few that aren't.
  const shown = conversation.private ? 'sealed' : 'forwarded'
  return (
    <>
      {shown === 'forwarded' && <PrivacyGlyph privacy={shown} size={14} className={className} />}
      {named && <Hidden>{privacyWord[shown]}: </Hidden>}
    </>
  )
}
