import { InvalidArgumentError, type Command } from 'commander'
import type { Output } from './json-output.ts'

/** The options of every `sotto database` command. */
export interface DatabaseOptions extends Output {
  readonly database?: string
}

/**
 * Adds the options that every `sotto database` command has. The address of the database may contain a password, which a
 * command line shows to other users.
 */
export function databaseOptions(command: Command): Command {
  return command
    .option(
      '--database <url>',
      'The PostgreSQL database. Other users can see it on the command line: prefer SOTTO_DATABASE_URL_FILE',
    )
    .option('--json', 'Print one line of JSON', false)
}

/** The database refuses other addresses too. Here, the message names the argument. */
export function toEmail(text: string): string {
  if (text.length > 254 || !/^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(text))
    throw new InvalidArgumentError('Use an email address.')
  return text
}
