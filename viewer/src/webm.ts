// WebM of one track of pictures, with exact times: EBML elements as of RFC 8794, their numbers as of the WebM guidelines.

export interface Chunk {
  data: Uint8Array;
  time: number; // ms
  key: boolean;
}

type Part = Uint8Array | Part[];

const bytesOf = (part: Part): number => (part instanceof Uint8Array ? part.length : part.reduce((sum, one) => sum + bytesOf(one), 0));
const flat = (part: Part): Uint8Array[] => (part instanceof Uint8Array ? [part] : part.flatMap(flat));

function integer(value: number, width = Math.max(1, Math.ceil(Math.log2(value + 1) / 8))): Uint8Array {
  return Uint8Array.from({ length: width }, (_, i) => Math.floor(value / 2 ** (8 * (width - 1 - i))) % 256);
}

function float(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
}

const text = (value: string) => new TextEncoder().encode(value);

/** Sizes always take 8 bytes: places can be counted before they are written. */
function element(id: number, ...content: Part[]): Part[] {
  const size = integer(bytesOf(content), 8);
  size[0] = 0x01;
  return [integer(id), size, ...content];
}

const MOST_CLUSTER = 30000; // ms: times within a cluster are 16 bits with a sign

function clustersOf(chunks: Chunk[]): { time: number; part: Part }[] {
  const groups: Chunk[][] = [];
  for (const chunk of chunks) {
    const open = groups[groups.length - 1];
    if (!open || chunk.key || chunk.time - open[0].time > MOST_CLUSTER) groups.push([chunk]);
    else open.push(chunk);
  }
  return groups.map((group) => ({ time: group[0].time, part: element(0x1f43b675, element(0xe7, integer(group[0].time)),
    ...group.map(({ data, time, key }) => element(0xa3, Uint8Array.of(0x81, ...integer(time - group[0].time, 2), key ? 0x80 : 0), data))) }));
}

/** `codec` as in V_VP9; `duration` of the whole film, ms. */
export function muxWebm(chunks: Chunk[], codec: string, width: number, height: number, perSecond: number): Blob {
  const duration = (chunks.length * 1000) / perSecond;
  const head = element(0x1a45dfa3, element(0x4286, integer(1)), element(0x42f7, integer(1)), element(0x42f2, integer(4)), element(0x42f3, integer(8)),
    element(0x4282, text('webm')), element(0x4287, integer(4)), element(0x4285, integer(2)));
  const info = element(0x1549a966, element(0x2ad7b1, integer(1_000_000)), element(0x4489, float(duration)), element(0x4d80, text('saltus')), element(0x5741, text('saltus')));
  const tracks = element(0x1654ae6b, element(0xae, element(0xd7, integer(1)), element(0x73c5, integer(1)), element(0x9c, integer(0)), element(0x83, integer(1)),
    element(0x86, text(codec)), element(0x23e383, integer(Math.round(1e9 / perSecond))), element(0xe0, element(0xb0, integer(width)), element(0xba, integer(height)))));
  const clusters = clustersOf(chunks);
  // Where each cluster begins, counted from the content of the segment: players seek by it. All of its numbers are 8 bytes wide.
  const cuesWith = (begin: number) => {
    let at = begin;
    return element(0x1c53bb6b, ...clusters.map(({ time, part }) => {
      const point = element(0xbb, element(0xb3, integer(time, 8)), element(0xb7, element(0xf7, integer(1)), element(0xf1, integer(at, 8))));
      at += bytesOf(part);
      return point;
    }));
  };
  const before = bytesOf(info) + bytesOf(tracks);
  const cues = cuesWith(before + bytesOf(cuesWith(0)));
  const segment = element(0x18538067, info, tracks, cues, ...clusters.map(({ part }) => part));
  return new Blob([...flat(head), ...flat(segment)] as BlobPart[], { type: 'video/webm' });
}
