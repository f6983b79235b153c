// Fetches or unpacks, and decodes, beside the thread that draws.
import { buildFrame, type FrameModel } from './frame';
import { readPack } from './pack';
import { readProbe, type ProbeWish } from './probe';

export type Place = { url: string } | { text: string; size: number };
export type Request =
  | { id: number; kind: 'model'; model: FrameModel }
  | { id: number; kind: 'bytes'; place: Place }
  | { id: number; kind: 'frame'; place: Place; field: string | null }
  | { id: number; kind: 'probe'; place: Place; wish: ProbeWish };

let model: FrameModel;

async function read(place: Place): Promise<ArrayBuffer> {
  if ('url' in place) {
    const answer = await fetch(place.url);
    if (!answer.ok) throw new Error((await answer.text()).trim());
    return answer.arrayBuffer();
  }
  const binary = atob(place.text);
  const packed = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) packed[i] = binary.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  const buffer = await new Response(stream).arrayBuffer();
  if (buffer.byteLength !== place.size) throw new Error('the data of this page are damaged');
  return buffer;
}

function buffersOf(value: object, found = new Set<ArrayBuffer>()): Set<ArrayBuffer> {
  for (const part of Object.values(value)) {
    if (ArrayBuffer.isView(part)) found.add(part.buffer as ArrayBuffer);
    else if (part && typeof part === 'object' && !Array.isArray(part)) buffersOf(part, found);
  }
  return found;
}

self.onmessage = async ({ data }: MessageEvent<Request>) => {
  try {
    if (data.kind === 'model') {
      model = data.model;
      self.postMessage({ id: data.id });
      return;
    }
    const buffer = await read(data.place);
    if (data.kind === 'bytes') {
      (self as any).postMessage({ id: data.id, result: buffer }, [buffer]);
      return;
    }
    if (data.kind === 'probe') {
      self.postMessage({ id: data.id, result: readProbe(readPack(buffer), data.wish) });
      return;
    }
    const frame = buildFrame(readPack(buffer), model, data.field);
    (self as any).postMessage({ id: data.id, result: frame }, [...buffersOf(frame)]);
  } catch (error) {
    self.postMessage({ id: data.id, error: error instanceof Error ? error.message : String(error) });
  }
};
