import type { JSONRPCMessage } from '../sdk.ts';
import type { ListenedTasks } from '../tasks/listen-tasks.ts';

/** Stands for the tasks in a subscription to nothing else, which the protocol library would end at once. No resource has it. */
export const TASKS_ONLY = 'deskterity-tasks:';

/**
 * The stream of a subscription, with the changes of tasks, which the protocol library does not know.
 * @param acknowledgement is sent instead of the library's, which is the first message of its stream
 */
export function streamWithTasks(
  response: Response,
  acknowledgement: JSONRPCMessage,
  listened: ListenedTasks,
): Response {
  const body = response.body?.getReader();
  if (!response.ok || body === undefined) {
    listened.end();
    return response;
  }
  const encoder = new TextEncoder();
  const frame = (message: JSONRPCMessage) =>
    encoder.encode(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  let isOver = false;
  const end = () => {
    isOver = true;
    listened.end();
  };
  const stream = new ReadableStream<Uint8Array>({
    start: async (to) => {
      try {
        await body.read();
        to.enqueue(frame(acknowledgement));
        listened.begin((message) => {
          if (!isOver) to.enqueue(frame(message));
        });
        // Read without waiting for the client: what it leaves unread is counted where it is sent.
        void pass(body, to, end);
      } catch (error) {
        end();
        to.error(error);
      }
    },
    cancel: async (reason) => {
      end();
      await body.cancel(reason);
    },
  });
  return new Response(stream, { status: response.status, headers: response.headers });
}

async function pass(
  from: ReadableStreamDefaultReader<Uint8Array>,
  to: ReadableStreamDefaultController<Uint8Array>,
  end: () => void,
): Promise<void> {
  try {
    for (let piece = await from.read(); piece.value !== undefined; piece = await from.read())
      to.enqueue(piece.value);
    end();
    to.close();
  } catch (error) {
    end();
    // The client may be gone already.
    try {
      to.error(error);
    } catch {
      // Then nothing is left to be told.
    }
  }
}
