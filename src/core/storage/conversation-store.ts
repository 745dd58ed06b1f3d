import type { AnswerEnd, Citation, ToolCall, UnshownPart } from '../../shared/answer-parts.ts'
import type { Attachment, Draft } from '../../shared/attachment.ts'
import type { ContextCut } from '../../shared/context-cut.ts'
import type { ChatParameters, Conversation, Message, TextDirection } from '../../shared/conversation.ts'
import type { Project } from '../../shared/project.ts'
import type { Folder, Prompt } from '../../shared/prompt.ts'
import type { LocalizedText } from '../../shared/localized-text.ts'
import type { Removal } from './removals.ts'

/** A member that is absent doesn't change. One that is undefined is removed. */
export interface MessagePatch {
  text?: string
  reasoning?: string
  citations?: Citation[]
  toolCalls?: ToolCall[]
  unshown?: UnshownPart[]
  end?: AnswerEnd | undefined
  state?: Message['state']
  receiptId?: string
  privacy?: Exclude<Message['privacy'], undefined>
  errorCode?: string | undefined
  errorDetail?: LocalizedText | undefined
}

/** A member that is absent doesn't change. null, false, 'auto' and empty values remove the member. */
export interface ConversationPatch {
  leafId?: string | null | undefined
  pinned?: boolean | undefined
  folderId?: string | null | undefined
  projectId?: string | null | undefined
  systemPrompt?: string | undefined
  parameters?: ChatParameters | undefined
  direction?: TextDirection | 'auto' | undefined
  contextCut?: ContextCut | null | undefined
}

/** Conversations with their messages, prompts, folders, attachments and drafts. Throws as Store does. */
export interface ConversationStore {
  readonly conversations: {
    /** The last changed conversation first. One that can't be decrypted is included as `damaged`. */
    list(): Conversation[]
    /** Like get, but a conversation that can't be decrypted is `damaged`. */
    readable(id: string): Conversation | null
    get(id: string): Conversation | null
    create(
      conversation: Pick<
        Conversation,
        | 'model'
        | 'private'
        | 'title'
        | 'systemPrompt'
        | 'parameters'
        | 'direction'
        | 'imported'
        | 'folderId'
        | 'projectId'
      >,
    ): Conversation
    /** Throws `conversation/unknown`. */
    change(id: string, patch: ConversationPatch): Conversation
    /** Throws `conversation/unknown`. */
    rename(id: string, title: string): Conversation
    /** Sets `updatedAt` to now. Throws `conversation/unknown`. */
    touch(id: string, patch?: ConversationPatch): Conversation
    /** Inserts the conversation unchanged, with its own id, which must be new. */
    insert(conversation: Conversation): void
    /** Removes the conversation with its messages. Returns false if it doesn't exist. */
    remove(id: string): boolean
  }
  readonly messages: {
    /** The messages of all branches, in the order of their creation, without hidden ones. */
    of(conversationId: string): Message[]
    /** Like of, but a message that can't be decrypted is `damaged`. */
    readable(conversationId: string): Message[]
    get(id: string): Message | null
    /** The message is created now, unless it has a time. Throws `conversation/unknown`. */
    add(message: Omit<Message, 'id' | 'createdAt'> & { createdAt?: number }): Message
    /**
     * Inserts the message unchanged, with its own id, which must be new, into an existing conversation.
     */
    insert(message: Message): void
    /** Throws `conversation/unknown` if the message was deleted with its conversation. */
    update(id: string, patch: MessagePatch): Message
  }
  readonly changes: {
    /**
     * The records that were added, changed or removed since the last call, in any order. Returns null on
     * the first call, and if the changes aren't known: then everything may have changed.
     */
    take(): { kind: 'conversation' | 'message'; id: string }[] | null
  }
  /**
   * Removals that can be undone. No list and no lookup includes a hidden record. The next start deletes the
   * records that are still hidden.
   */
  readonly removals: {
    /**
     * Returns false if there is nothing to hide.
     * @param alongside what else is written; if any of it fails, nothing is written or hidden
     */
    hide(removal: Removal, alongside?: () => void): boolean
    /** Returns false if the record isn't hidden. @param alongside as for hide */
    takeBack(removal: Removal, alongside?: () => void): boolean
    /** Runs the work, whose lists and lookups include hidden records. */
    revealing<T>(work: () => T): T
    /** Deletes a hidden record. Does nothing if it isn't hidden. */
    finish(removal: Removal): void
  }
  /** The prompt library, in the order of creation. */
  readonly prompts: {
    list(): Prompt[]
    /** Replaces the prompt with this id. Without an id, adds one. */
    put(prompt: Omit<Prompt, 'id' | 'updatedAt'> & { id?: string }): Prompt
    remove(id: string): boolean
  }
  /** Folders, in the order of creation. Each conversation has the id of its folder. */
  readonly folders: {
    list(): Folder[]
    put(folder: Omit<Folder, 'id'> & { id?: string }): Folder
    remove(id: string): boolean
  }
  /** Projects, in the order of creation. One that can't be decrypted is `damaged` and private-only. */
  readonly projects: {
    list(): Project[]
    get(id: string): Project | null
    /** Replaces the project with this id. Without an id, adds one. The times are now, unless it has others. */
    put(
      project: Omit<Project, 'id' | 'createdAt' | 'updatedAt' | 'damaged'> &
        Partial<Pick<Project, 'id' | 'createdAt' | 'updatedAt'>>,
    ): Project
    remove(id: string): boolean
  }
  /**
   * Attachments, sealed in files. Each exists as long as a message or a draft uses it; the next start
   * deletes the unused ones.
   */
  readonly attachments: {
    /** Returns once the file is durable, also after a power failure. */
    add(about: Omit<Attachment, 'id' | 'bytes'>, content: Uint8Array): Promise<Attachment>
    /** Inserts the attachment unchanged, with its own id, which must be new. */
    insert(attachment: Attachment, content: Uint8Array): Promise<void>
    get(id: string): Attachment | null
    /** Returns null if the attachment doesn't exist. */
    read(id: string): Promise<Uint8Array | null>
    /** The ids of the conversations with a message that uses it, also of hidden ones. */
    usedIn(id: string): string[]
    /** Returns false if the attachment doesn't exist, or a message or a draft uses it. */
    removeUnused(id: string): Promise<boolean>
  }
  /** Unsent text and attachments, by conversation; `new` is the conversation that hasn't begun. */
  readonly drafts: {
    /**
     * The last saved draft first. One that can't be decrypted is skipped, and stays until it's overwritten.
     */
    list(): Draft[]
    /** Saves the draft with those of its attachments that are stored here. An empty draft is removed. */
    save(draft: Draft): void
  }
}
