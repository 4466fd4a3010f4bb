import { describe, expect, it } from "vitest";
import { paginate, readPaging } from "./pagination.ts";

const notFound = expect.objectContaining({ status: 404 });

describe("readPaging", () => {
  it.each([
    [undefined, 20],
    ["1", 1],
    ["100", 100],
    ["101", 100],
    ["99999999999999999999", 100],
    ["0", 20],
    ["-1", 20],
    ["ten", 20],
    ["1e3", 20],
    ["", 20],
    [["5", "6"], 20],
  ])("Spec choice, paging: reads a page_size of %j as %i", (page_size, pageSize) => {
    expect(readPaging({ page_size })).toEqual({ page: 1, pageSize });
  });

  it.each(["0", "-1", "x", "", "1.5", "1000000001", ["1", "2"]])(
    "Spec choice, paging: answers 404 to the invalid page %j",
    (page) => {
      expect(() => readPaging({ page })).toThrow(notFound);
    },
  );
});

describe("paginate", () => {
  const list = (page: number, count: number, query = {}) =>
    paginate({ url: "http://a.test/x/", query, page, pageSize: 20, count, results: [] });

  it("Spec, Pagination: links the next and previous pages, with null after the last and before the first", () => {
    expect(list(1, 20)).toMatchObject({ next: null, previous: null });
    expect(list(1, 21).next).toBe("http://a.test/x/?page=2&page_size=20");
    expect(list(2, 60).previous).toBe("http://a.test/x/?page_size=20");
    expect(list(3, 60)).toMatchObject({
      next: null,
      previous: "http://a.test/x/?page=2&page_size=20",
    });
  });

  it("replaces page and page_size in links and keeps all other parameters, even repeated ones", () => {
    const { next } = list(1, 21, {
      page: "1",
      page_size: "20",
      status: "due",
      tag: ["a", "b"],
    });
    expect(next).toBe("http://a.test/x/?page=2&page_size=20&status=due&tag=a&tag=b");
  });

  it("Spec choice, paging: answers 404 to a page after the last one, but returns page 1 of an empty list", () => {
    expect(() => list(2, 20)).toThrow(notFound);
    expect(list(1, 0)).toMatchObject({ count: 0, next: null });
  });
});
