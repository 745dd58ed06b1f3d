import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { ToolFacts } from '../../src/shared/tools/facts.ts'

export interface Setting {
  readonly bin: string
  /** The agent's home and its place of work. */
  readonly folder: string
  readonly facts: ToolFacts
}

/** What a person types. */
export interface Prompt {
  readonly text: string
  /** A picture to look at. */
  readonly image?: string
  /** Whether it continues the last session. */
  readonly again?: boolean
}

/** A tool of the agent, and its input. */
export interface ToolCall {
  readonly tool: string
  readonly input: object
}

export interface Agent {
  readonly name: string
  /** How it writes a file. */
  write(file: string, content: string): ToolCall
  /** @returns what it wrote on standard output and standard error */
  run(setting: Setting, prompt: Prompt): Promise<string>
  /** Whether a prompt can have an image. */
  readonly seesImages: boolean
  /** Undefined if its compaction isn't tested. */
  readonly sessions?: Sessions
}

/** How an agent works in sessions longer than the model's context. */
interface Sessions {
  /** How it reads a text file. */
  readonly read: (file: string) => ToolCall
  /** The beginning of a text by which it asks for a summary of a long session. */
  readonly summary: string
  /** Whether a context of 32,768 tokens is too short for its instructions, its tools and its reserves. */
  readonly needsLongContext?: true
}

export type SessionAgent = Agent & Required<Pick<Agent, 'sessions'>>

export interface Started {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin?: string
  /** Lines of standard error that `sotto run` leaves out. */
  readonly leftOut?: RegExp
}

export function environment(home: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home }
}

export function finished({ command, args, env, stdin = '', leftOut }: Started, cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env: { ...environment(cwd), ...env } })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (!leftOut?.test(line)) output += `${line}\n`
    })
    child.once('error', reject)
    child.once('close', () => resolve(output))
    child.stdin.end(stdin)
  })
}
