//! Sends mapped files over real sockets.

use std::net::SocketAddr;

use bytes::{Buf, BufMut, Bytes};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpSocket},
};

use super::*;
use blobs::testing::{SampleBlob, resident};

const MIB: usize = 1 << 20;

fn locate(bytes: &[u8]) -> Option<FileRange> {
    blobs::locate(bytes).map(|range| FileRange { file: range.file, offset: range.offset })
}

/// Opens a connection and returns both ends. The far end has a small receive buffer.
async fn connection() -> (FileSender, TcpStream) {
    let listener = TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
    let far = TcpSocket::new_v4().unwrap();
    far.set_recv_buffer_size(16 << 10).unwrap();
    let (far, near) = tokio::join!(far.connect(listener.local_addr().unwrap()), listener.accept());
    (FileSender::new(near.unwrap().0, locate), far.unwrap())
}

/// Sends all bytes, closes the connection, and returns the received bytes.
async fn transfer(mut sender: FileSender, mut far: TcpStream, mut bytes: impl Buf) -> io::Result<Vec<u8>> {
    let mut received = Vec::new();
    let sending = async move {
        sender.write_all_buf(&mut bytes).await?;
        sender.shutdown().await
    };
    let (sent, read) = tokio::join!(sending, far.read_to_end(&mut received));
    sent.and(read).map(|_| received)
}

#[tokio::test]
async fn a_file_arrives_and_its_mapping_is_never_read() {
    let blob = SampleBlob::store(64 * MIB).await;
    let file = blob.mapped().await.bytes(0..64 << 20).unwrap();
    let (sender, far) = connection().await;
    let received = transfer(sender, far, file.clone()).await.unwrap();
    assert!(received == blob.content, "the content differs");
    assert_eq!(resident(&file), "0 kB");
}

#[tokio::test]
async fn parts_of_several_files_arrive_between_other_bytes() {
    let blobs = (SampleBlob::store(3 * MIB + 1).await, SampleBlob::store(2 * MIB + 7).await);
    let mapped = (blobs.0.mapped().await, blobs.1.mapped().await);
    let mut expected = Vec::new();
    let mut slices = Vec::new();
    for (one, two) in blobs.0.parts(40).into_iter().zip(blobs.1.parts(40)) {
        let text = format!("{one:?} and {two:?}\r\n");
        expected.extend([text.as_bytes(), &blobs.0.content[one.clone()], &blobs.1.content[two.clone()]].concat());
        slices.push(Bytes::from(text));
        slices.push(mapped.0.bytes(one.start as u64..one.end as u64).unwrap());
        slices.push(mapped.1.bytes(two.start as u64..two.end as u64).unwrap());
    }
    let (sender, far) = connection().await;
    let received = transfer(sender, far, Slices(slices)).await.unwrap();
    assert!(received == expected, "the content differs");
}

#[tokio::test]
async fn a_reader_who_takes_little_at_a_time_gets_everything() {
    let blob = SampleBlob::store(4 * MIB).await;
    let mut file = blob.mapped().await.bytes(1..(4 << 20) - 1).unwrap();
    let (mut sender, mut far) = connection().await;
    let sending = tokio::spawn(async move {
        sender.write_all(b"head").await.unwrap();
        sender.write_all_buf(&mut file).await.unwrap();
    });
    let mut received = Vec::new();
    while far.read_buf(&mut (&mut received).limit(1_001)).await.unwrap() > 0 {
        tokio::task::yield_now().await;
    }
    sending.await.unwrap();
    assert_eq!(&received[..4], b"head");
    assert!(received[4..] == blob.content[1..4 * MIB - 1], "the content differs");
}

#[tokio::test]
async fn a_peer_who_goes_away_is_an_error() {
    let blob = SampleBlob::store(16 * MIB).await;
    let mut file = blob.mapped().await.bytes(0..16 << 20).unwrap();
    let (mut sender, mut far) = connection().await;
    let leaving = async move { far.read_exact(&mut [0; 1_000]).await };
    let (sent, left) = tokio::join!(sender.write_all_buf(&mut file), leaving);
    left.unwrap();
    let kind = sent.unwrap_err().kind();
    assert!(matches!(kind, io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe), "{kind}");
}

#[tokio::test]
async fn a_file_that_was_truncated_cuts_the_connection() {
    let blob = SampleBlob::store(2 * MIB).await;
    let file = blob.mapped().await.bytes(0..2 << 20).unwrap();
    blob.truncate(1 << 20);
    let (sender, far) = connection().await;
    assert_eq!(transfer(sender, far, file).await.unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
}

#[tokio::test]
async fn what_the_kernel_does_not_copy_is_written() {
    let blob = SampleBlob::store(3 * MIB).await;
    let file = blob.mapped().await.bytes(0..3 << 20).unwrap();
    let (sender, far) = connection().await;
    // The kernel does not copy files to an append-only descriptor.
    fcntl_setfl(&sender.socket, fcntl_getfl(&sender.socket).unwrap() | OFlags::APPEND).unwrap();
    let received = transfer(sender, far, file.clone()).await.unwrap();
    assert!(received == blob.content, "the content differs");
    assert_ne!(resident(&file), "0 kB");
}

#[tokio::test]
async fn empty_slices_stand_in_nobodys_way() {
    let blob = SampleBlob::store(MIB).await;
    let file = blob.mapped().await.bytes(0..1 << 20).unwrap();
    let (mut sender, _far) = connection().await;
    let slices = [IoSlice::new(b""), IoSlice::new(&file[..10]), IoSlice::new(b"more")];
    assert_eq!(sender.write_vectored(&slices).await.unwrap(), 10);
    assert_eq!(sender.write_vectored(&[IoSlice::new(b"")]).await.unwrap(), 0);
    assert_eq!(sender.write_vectored(&[]).await.unwrap(), 0);
}

/// Slices that are written many at once, as the HTTP parser writes its queue.
struct Slices(Vec<Bytes>);

impl Buf for Slices {
    fn remaining(&self) -> usize {
        self.0.iter().map(Bytes::len).sum()
    }

    fn chunk(&self) -> &[u8] {
        self.0.iter().find(|slice| !slice.is_empty()).map_or(&[], |slice| slice)
    }

    fn chunks_vectored<'a>(&'a self, into: &mut [IoSlice<'a>]) -> usize {
        let slices = self.0.iter().zip(into.iter_mut());
        slices.map(|(slice, place)| *place = IoSlice::new(slice)).count()
    }

    fn advance(&mut self, mut count: usize) {
        for slice in &mut self.0 {
            let here = count.min(slice.len());
            slice.advance(here);
            count -= here;
        }
        self.0.retain(|slice| !slice.is_empty());
    }
}
