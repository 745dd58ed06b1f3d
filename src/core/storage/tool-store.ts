import type { ToolServerRecord, ToolStep } from '../../shared/tool-call.ts'

/** The servers of tools, and the journal of their calls. Throws as Store does. */
export interface ToolStore {
  readonly tools: {
    /** In the order in which they were added. */
    servers(): ToolServerRecord[]
    /** Adds the server, or replaces the one with its ID. */
    putServer(server: ToolServerRecord): void
    /** Returns false if it doesn't exist. */
    removeServer(id: string): boolean
    /**
     * Writes a call in place of its earlier state. Returns once it's durable, also after a power failure,
     * because a call that is recorded as running is run next.
     */
    putCall(step: ToolStep): void
    /** The calls of an answer in their order. A call that was running when Sotto ended is `unknown`. */
    calls(answerId: string): ToolStep[]
    /** The built-in tools and servers that a chat may use; empty if none were chosen. */
    chosen(conversationId: string): string[]
    /**
     * Replaces the choice of a chat.
     * @param sources names of built-in tools, and IDs of servers
     */
    choose(conversationId: string, sources: readonly string[]): void
  }
}
